package import DataStoreCore

/// A path, split into a directory and the name of an entry in it.
package struct Path: Hashable, Sendable {
    /// The path of the directory.
    package let parent: String
    /// The name of the entry: the last component of the path, which may be `.` or `..`. It is empty for the root
    /// directory.
    package let name: String

    /// Splits a path. Slashes at its end are ignored. The directory of a relative path with a single component is `.`.
    package init(_ path: String) {
        // The initializer works on bytes, because each save of a property list splits its path and `FilePath` takes
        // thousands of instructions for it.
        let slash = UInt8(ascii: "/")
        let trimmed = path.utf8.reversed().drop { $0 == slash }
        let name = trimmed.prefix { $0 != slash }
        let parent = trimmed.dropFirst(name.count).drop { $0 == slash }
        self.name = String(decoding: name.reversed(), as: UTF8.self)
        let isAbsolute = path.utf8.first == slash
        self.parent = parent.isEmpty ? (isAbsolute ? "/" : ".") : String(decoding: parent.reversed(), as: UTF8.self)
    }

    /// Creates the path of an entry of a directory.
    package init(parent: String, name: String) {
        self.parent = parent
        self.name = name
    }

    /// The path of the parent directory, or `nil` if the parent directory is the root directory.
    var above: Path? {
        let above = Path(parent)
        return above.name.isEmpty ? nil : above
    }

    /// Whether the name identifies an entry, i.e. is neither empty nor `.` nor `..`.
    package var hasEntryName: Bool { !name.isEmpty && name != "." && name != ".." }

    /// Returns the absolute form of a path, which stays valid if the working directory changes. Throws `DataStoreError`
    /// with the code `inputOutput` if the working directory is unknown or its path is not UTF-8.
    package static func absolute(_ path: String) throws(DataStoreError) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        // `getcwd` allocates the buffer, and this function frees it.
        guard let directory = unsafe getcwd(nil, 0) else {
            throw .systemError("find the working directory", path: path)
        }
        defer { unsafe free(directory) }
        guard let parent = unsafe String(validatingCString: directory) else {
            throw DataStoreError(
                .inputOutput, "the path of the working directory is not UTF-8; use an absolute path",
                operation: "find the working directory", path: path)
        }
        return "\(parent)/\(path)"
    }
}
