import DataStoreSystem
import SystemPackage

/// The resolved location of a property-list file: its open directory and its name, after following symbolic links.
///
/// A path is resolved only once. If each system call resolved the path again, two calls could access different files.
struct PlistLocation {
    /// The maximum size of a file in bytes. It limits memory use, because a property list is read as a whole.
    static let maximumByteCount: Int64 = 1 << 30

    /// The maximum number of symbolic links that are followed.
    private static let maximumLinkCount = 40

    let directory: Directory
    let name: String
    /// Whether the path refers to the file through a symbolic link.
    let isLinked: Bool

    /// The path of the file, without symbolic links in its last component.
    var path: String { directory.path(of: name) }

    /// Resolves a path. The file need not exist.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - ofStore: Whether the file is a store. A store is refused in a directory in which every user may replace it.
    /// - Returns: The location, or `nil` if the directory does not exist.
    /// - Throws: `DataStoreError` with the code `notAStore` if the path is `/`, ends with `.` or `..`, or contains a
    ///   symbolic link that belongs neither to this user nor to root, or if every user may replace a store. The code
    ///   is `inputOutput` if the path contains too many symbolic links.
    static func resolve(_ path: String, ofStore: Bool = true) throws(DataStoreError) -> PlistLocation? {
        var path = path
        for count in 0..<maximumLinkCount {
            let entry = Path(path)
            guard entry.hasEntryName else { throw DataStoreError.notAStore("a directory", path: path) }
            guard let directory = try Directory.ifExists(entry.parent) else { return nil }
            if ofStore { try directory.checkPermissions() }
            guard let status = try directory.status(of: entry.name), status.kind == .link else {
                return PlistLocation(directory: directory, name: entry.name, isLinked: count > 0)
            }
            guard status.isOwn || status.owner == 0 else {
                throw DataStoreError.notAStore("a symbolic link of another user", path: path)
            }
            let target = try directory.destination(of: entry.name)
            path = target.utf8.first == UInt8(ascii: "/") ? target : directory.path(of: target)
        }
        throw DataStoreError(.tooManySymbolicLinkLevels, "follow symbolic links", path: path)
    }

    /// Returns whether another location refers to the same name in the same directory. Returns `false` if `other` is
    /// `nil`.
    func isSame(as other: PlistLocation?) throws(DataStoreError) -> Bool {
        guard let other, other.name == name else { return false }
        return try other.directory.status().id == directory.status().id
    }

    // MARK: Reading

    /// Reads the file, and retries if another program changes it meanwhile. If the file is not a property list, only
    /// its first bytes are read.
    ///
    /// - Returns: The bytes, and the open file with its stamp. The latter is `nil` if a later change may leave the
    ///   stamp the same, because the file was changed just before it was read. The result is `nil` if the file does not
    ///   exist.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `busy` if the file keeps changing.
    ///   - `notAStore` if the file is not a regular file.
    ///   - `full` if the file is too large.
    ///   - `inputOutput` if the file cannot be read.
    func read() throws(DataStoreError) -> (bytes: [UInt8], pinned: (file: File, stamp: FileStamp)?)? {
        for _ in 0..<100 {
            guard let file = try directory.open(name) else { return nil }
            let now = FileStamp.currentTime
            let stamp = try file.stamp()
            let size = stamp.status.size
            var bytes = try file.read(at: 0, count: Int(min(size, Int64(PlistDataStore.Format.prefixByteCount))))
            let isPropertyList = PlistDataStore.Format(firstBytes: bytes) != nil
            guard !isPropertyList || size <= Self.maximumByteCount else {
                throw DataStoreError(
                    .full, "the file has \(size) bytes, more than \(Self.maximumByteCount); use an LMDB store",
                    operation: "read the file", path: path)
            }
            if isPropertyList { bytes = try file.read(at: 0, count: Int(size)) }
            let after = try file.stamp()
            let named = try directory.status(of: name)
            if !isPropertyList || bytes.count == Int(size), after == stamp, named?.id == stamp.status.id {
                return (bytes, stamp.isSettled(at: now) ? (file, stamp) : nil)
            }
        }
        throw DataStoreError(
            .busy, "another process keeps changing the file; retry", operation: "read the file", path: path)
    }

    // MARK: Keeping a damaged file

    /// Keeps a damaged file under a second name, `NAME.damaged-1` or the next free number. The second name remains when
    /// the file is replaced. If the file system has no hard links, the bytes are copied.
    ///
    /// - Returns: The path of the second name.
    func keep(_ bytes: [UInt8], as kind: String) throws(DataStoreError) -> String {
        let second = try directory.keep(name, as: kind, copying: bytes)
        try directory.sync()
        return directory.path(of: second)
    }
}
