import DataStoreCore

extension File {
    /// Returns the id of a process that holds an exclusive lock on a byte of the file. Returns `nil` if it is unknown:
    /// on a system without `/proc`, or if the process belongs to another user.
    ///
    /// The system call that tests a lock does not name the owner of an open file description lock.
    func lockOwner(ofByte byte: Int64) -> Int32? {
        guard let inode = try? status().id.inode, let processes = try? Self.names(in: "/proc") else { return nil }
        for process in processes.compactMap({ Int32($0) }) {
            let folder = "/proc/\(process)/fdinfo"
            for descriptor in (try? Self.names(in: folder)) ?? [] {
                let text = Self.text(of: "\(folder)/\(descriptor)")
                if text.map({ Self.holdsLock($0, inode, byte) }) == true { return process }
            }
        }
        return nil
    }

    /// Returns whether a text has a line such as `lock: 1: OFDLCK ADVISORY WRITE -1 fe:00:1234 0 EOF` for the byte.
    static func holdsLock(_ text: String, _ inode: UInt64, _ byte: Int64) -> Bool {
        text.split(separator: "\n").contains { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.first == "lock:", words.count == 9, words[4] == "WRITE", words[6].hasSuffix(":\(inode)"),
                let first = Int64(words[7])
            else { return false }
            return first <= byte && byte <= Int64(words[8]) ?? .max
        }
    }

    private static func names(in path: String) throws(DataStoreError) -> [String] {
        try Directory.ifExists(path)?.names { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? []
    }

    private static func text(of path: String) -> String? {
        guard let file = try? File.openForReading(path), let bytes = try? file.read(at: 0, count: 4096) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
