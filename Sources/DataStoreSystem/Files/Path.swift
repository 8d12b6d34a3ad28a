import SystemPackage

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

    /// Whether the name identifies an entry, i.e. is neither empty nor `.` nor `..`.
    package var hasEntryName: Bool { !name.isEmpty && name != "." && name != ".." }

    /// Returns the absolute form of a path, which stays valid if the working directory changes. Throws `DataStoreError`
    /// with the code `inputOutput` if the working directory is unknown or its path is not UTF-8.
    package static func absolute(_ path: String) throws(DataStoreError) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        // `getcwd` allocates the buffer, and this function frees it.
        guard let directory = unsafe getcwd(nil, 0) else {
            throw DataStoreError(Errno(rawValue: errno), "find the working directory", path: path)
        }
        defer { unsafe free(directory) }
        guard let parent = unsafe String(validatingCString: directory) else {
            throw DataStoreError(
                .inputOutput, "the path of the working directory is not UTF-8; use an absolute path",
                operation: "find the working directory", path: path)
        }
        return "\(parent)/\(path)"
    }

    /// The home directory of the process's user account according to the operating system, independent of `HOME`. It is
    /// `nil` if the account has none.
    package static var homeDirectory: String? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        // The entry points into the buffer. The text is copied while both are valid.
        return unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress,
                unsafe getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0, unsafe found != nil
            else { return nil }
            return unsafe entry.pw_dir.map { unsafe String(cString: $0) }
        }
    }
}

extension StoreKind {
    /// Converts the address in a location to a path. A leading `~/` becomes the home directory, because a shell does
    /// not expand the tilde after a scheme.
    ///
    /// - Throws: `DataStoreError` if the text is empty, or if it begins with `~/` and `HOME` is a relative path.
    package func path(from text: String) throws(DataStoreError) -> String {
        guard !text.isEmpty else { throw DataStoreError(.notAStore, "a path must follow \(scheme):") }
        guard text.hasPrefix("~/") else { return text }
        // The text is copied at once, because another thread may change the variable later.
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        if let home, !home.hasPrefix("/") {
            throw DataStoreError(.notAStore, "HOME is not an absolute path; correct it")
        }
        return (home ?? Path.homeDirectory ?? "") + text.dropFirst()
    }
}

extension String {
    /// Returns the text with a percent-encoding of each byte other than letters and digits of ASCII and the given
    /// characters.
    package func percentEncoded(keeping characters: String) -> String {
        var text = ""
        for byte in utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": text.unicodeScalars.append(scalar)
            case _ where characters.utf8.contains(byte): text.unicodeScalars.append(scalar)
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// Decodes a text with percent-encoded bytes. Returns `nil` if an encoding is invalid, or the bytes are not UTF-8.
    package init?(percentDecoding text: Substring) {
        var (bytes, rest) = ([UInt8](), text.utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let decoded = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        self.init(validating: bytes, as: UTF8.self)
    }
}
