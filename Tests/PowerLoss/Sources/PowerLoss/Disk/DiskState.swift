import Foundation

/// The contents of a disk: files and directories, which refer to each other by their index. The first one is the root.
struct DiskState {
    enum Node {
        case file([UInt8])
        case directory([String: Int])
    }

    static let sectorByteCount = 512

    var nodes: [Node]

    /// Applies a part of an operation.
    mutating func apply(_ part: PendingOperation.Part) {
        switch part {
        case .sector(let node, let index, let image):
            let start = index * Self.sectorByteCount
            editFile(node) { bytes in
                // Without its change of the size, the end of a write is beyond the end of the file.
                let count = min(image.count, bytes.count - start)
                if count > 0 { bytes.replaceSubrange(start..<start + count, with: image.prefix(count)) }
            }
        case .extend(let node, let size):
            editFile(node) { bytes in
                if bytes.count < size { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
            }
        case .truncate(let node, let size):
            editFile(node) { bytes in
                if bytes.count > size { bytes.removeLast(bytes.count - size) }
                bytes += [UInt8](repeating: 0, count: size - bytes.count)
            }
        case .entries(let entries):
            for entry in entries {
                guard case .directory(var names) = nodes[entry.directory] else { continue }
                names[entry.name] = entry.node
                nodes[entry.directory] = .directory(names)
            }
        }
    }

    private mutating func editFile(_ node: Int, _ edit: (inout [UInt8]) -> Void) {
        guard case .file(var bytes) = nodes[node] else { return }
        // Releases the copy in the array, so that the bytes are edited in place.
        nodes[node] = .file([])
        edit(&bytes)
        nodes[node] = .file(bytes)
    }

    /// Returns the bytes of a file.
    func bytes(of node: Int) -> [UInt8] { if case .file(let bytes) = nodes[node] { bytes } else { [] } }

    /// Returns the path of a node relative to the root, or `nil` if it has no name.
    func path(of node: Int) -> String? {
        for (directory, content) in nodes.enumerated() {
            guard case .directory(let names) = content, let name = names.first(where: { $0.value == node })?.key
            else { continue }
            if directory == 0 { return name }
            return path(of: directory).map { "\($0)/\(name)" }
        }
        return node == 0 ? "." : nil
    }

    /// A hash of the files and directories that have a name.
    var digest: Int {
        var hasher = Hasher()
        func add(_ node: Int) {
            switch nodes[node] {
            case .file(let bytes):
                hasher.combine(bytes.count)
                unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            case .directory(let names):
                hasher.combine(-names.count)
                for (name, node) in names.sorted(by: { $0.key < $1.key }) {
                    hasher.combine(name)
                    add(node)
                }
            }
        }
        add(0)
        return hasher.finalize()
    }

    // MARK: Files

    /// Reads a folder.
    ///
    /// - Returns: The contents, and the index of each inode.
    static func read(_ path: String) throws -> (state: DiskState, indexes: [UInt64: Int]) {
        var state = DiskState(nodes: [])
        var indexes: [UInt64: Int] = [:]
        func add(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let index = state.nodes.count
            indexes[(attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0] = index
            state.nodes.append(.directory([:]))
            if attributes[.type] as? FileAttributeType == .typeDirectory {
                var names: [String: Int] = [:]
                for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                    names[name] = try add("\(path)/\(name)")
                }
                state.nodes[index] = .directory(names)
            } else {
                state.nodes[index] = .file([UInt8](try Data(contentsOf: URL(filePath: path))))
            }
            return index
        }
        _ = try add(path)
        return (state, indexes)
    }

    /// Writes the contents to a new folder.
    ///
    /// - Returns: The index of each inode.
    func write(to path: String) throws -> [UInt64: Int] {
        var indexes: [UInt64: Int] = [:]
        func add(_ node: Int, _ path: String) throws {
            switch nodes[node] {
            case .file(let bytes):
                let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
                guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
                defer { close(file) }
                let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
                guard count == bytes.count else { throw POSIXError(.ENOSPC) }
                indexes[Self.inode(of: path)] = node
            case .directory(let names):
                guard unsafe mkdir(path, 0o700) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
                indexes[Self.inode(of: path)] = node
                for (name, node) in names { try add(node, "\(path)/\(name)") }
            }
        }
        try add(0, path)
        return indexes
    }

    private static func inode(of path: String) -> UInt64 {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }
}
