/// A disk with a volatile cache: the durable contents, the contents that programs see, and the pending operations.
///
/// A sync makes the operations on one file or directory durable. Without it, the disk may have written any of them, in
/// any order, and any sector of them. A sector has the contents that it had in the cache at some moment.
struct Disk {
    /// The contents that survive every loss of power.
    private(set) var durable: DiskState
    /// The contents that programs see.
    private(set) var cached: DiskState
    /// The operations that are not durable, in their order.
    private(set) var pending: [PendingOperation] = []
    /// The index of the file or directory with each inode.
    private var nodes: [UInt64: Int]

    /// Creates a disk whose contents are durable.
    init(_ state: DiskState, _ nodes: [UInt64: Int]) {
        durable = state
        cached = state
        self.nodes = nodes
    }

    /// Returns a name of the sync that an operation requests, or `nil` if it requests none.
    func syncName(of operation: Operation) -> String? {
        switch operation.effect {
        case .sync(let inode): nodes[inode].map { "\(operation.call) \(kind(of: $0))" }
        case .write(let inode, _, _, true): nodes[inode].map { "O_DSYNC \(kind(of: $0))" }
        case .syncAll: operation.call
        default: nil
        }
    }

    /// Returns whether an operation concerns this disk.
    func contains(_ operation: Operation) -> Bool {
        switch operation.effect {
        case .none(let inode), .write(let inode, _, _, _), .store(let inode, _, _), .truncate(let inode, _),
            .extend(let inode, _), .sync(let inode):
            nodes[inode] != nil
        case .add(_, _, let directory, _), .remove(let directory, _), .rename(let directory, _, _, _):
            nodes[directory] != nil
        case .syncAll, .acknowledge: true
        }
    }

    /// Returns whether an operation concerns only lock files, which are never synced.
    func isOfLockFile(_ operation: PendingOperation) -> Bool {
        func isLock(_ name: String) -> Bool { name.hasSuffix("lock.mdb") || name.hasSuffix(".lock") }
        return operation.parts.allSatisfy { part in
            switch part {
            case .sector(let file, _, _), .extend(let file, _), .truncate(let file, _):
                cached.path(of: file).map(isLock) ?? false
            case .entries(let entries): entries.allSatisfy { isLock($0.name) }
            }
        }
    }

    /// Returns the name of a file without its random part, or `directory`.
    private func kind(of node: Int) -> String {
        if case .directory = cached.nodes[node] { return "directory" }
        let name = cached.path(of: node)?.split(separator: "/").last ?? "unnamed"
        return name.first == "." ? String(name.prefix { $0 != "-" }) : String(name)
    }

    /// Applies an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - isIgnored: Whether the operation makes nothing durable, although it requests that.
    /// - Returns: Whether a loss of power may now leave other states.
    mutating func apply(_ operation: Operation, ignoringSync isIgnored: Bool = false) -> Bool {
        guard contains(operation) else { return false }
        switch operation.effect {
        case .none, .acknowledge: return false
        case .sync(let inode):
            guard let node = nodes[inode], !isIgnored else { return false }
            return sync { $0.belongs(to: node) }
        case .syncAll: return isIgnored ? false : sync { _ in true }
        case .write(let inode, let position, let bytes, let isDurable):
            guard let node = nodes[inode] else { return false }
            let parts = parts(writing: bytes, to: node, at: position)
            if isDurable, !isIgnored {
                let sectors = Set(parts.compactMap { if case .sector(_, let index, _) = $0 { index } else { nil } })
                add(parts)
                return sync { part in
                    if case .sector(node, let index, _) = part { return sectors.contains(index) }
                    return part.belongs(to: node) && part.isSize
                }
            }
            add(parts)
        case .store(let inode, let position, let bytes):
            guard let node = nodes[inode] else { return false }
            let parts = parts(writing: bytes, to: node, at: position)
            pending.removeAll { old in
                guard old.isStore, case .sector(node, let index, _) = old.parts.first else { return false }
                return index == position / DiskState.sectorByteCount
            }
            add(parts, isStore: true)
        case .truncate(let inode, let size):
            guard let node = nodes[inode], cached.bytes(of: node).count != size else { return false }
            add([.truncate(file: node, size: size)])
        case .extend(let inode, let size):
            guard let node = nodes[inode], cached.bytes(of: node).count < size else { return false }
            add([.extend(file: node, size: size)])
        case .add(let inode, let isDirectory, let directory, let name):
            guard let parent = nodes[directory] else { return false }
            let node = cached.links(to: nodes[inode]) ?? create(inode, isDirectory: isDirectory)
            add([.entries([.init(directory: parent, name: name, node: node)])])
        case .remove(let directory, let name):
            guard let parent = nodes[directory] else { return false }
            add([.entries([.init(directory: parent, name: name, node: nil)])])
        case .rename(let directory, let name, let newDirectory, let newName):
            guard let parent = nodes[directory], let newParent = nodes[newDirectory],
                case .directory(let names) = cached.nodes[parent], let node = names[name]
            else { return false }
            add([
                .entries([
                    .init(directory: parent, name: name, node: nil),
                    .init(directory: newParent, name: newName, node: node),
                ])
            ])
        }
        return true
    }

    /// Returns the state that a loss of power leaves if it keeps some parts of the pending operations.
    func state(keeping isKept: (_ operation: Int, _ part: Int) -> Bool) -> DiskState {
        var state = durable
        for (index, operation) in pending.enumerated() {
            for (number, part) in operation.parts.enumerated() where isKept(index, number) { state.apply(part) }
        }
        return state
    }

    private mutating func create(_ inode: UInt64, isDirectory: Bool) -> Int {
        // The file system may have reused the inode of a removed file.
        nodes[inode] = cached.nodes.count
        cached.nodes.append(isDirectory ? .directory([:]) : .file([]))
        durable.nodes.append(isDirectory ? .directory([:]) : .file([]))
        return cached.nodes.count - 1
    }

    /// Returns the parts of a write, and applies them to the contents that programs see.
    private mutating func parts(writing bytes: [UInt8], to node: Int, at position: Int) -> [PendingOperation.Part] {
        let end = position + bytes.count
        var parts: [PendingOperation.Part] = []
        if end > cached.bytes(of: node).count { parts.append(.extend(file: node, size: end)) }
        for part in parts { cached.apply(part) }
        let size = DiskState.sectorByteCount
        let old = cached.bytes(of: node)
        for index in position / size..<(end + size - 1) / size {
            var image = Array(old[index * size..<min((index + 1) * size, old.count)])
            let (first, last) = (max(position, index * size), min(end, (index + 1) * size))
            image.replaceSubrange(
                first - index * size..<last - index * size, with: bytes[first - position..<last - position])
            parts.append(.sector(file: node, index: index, image: image))
        }
        return parts
    }

    private mutating func add(_ parts: [PendingOperation.Part], isStore: Bool = false) {
        for part in parts { cached.apply(part) }
        pending.append(PendingOperation(parts: parts, isStore: isStore))
    }

    private mutating func sync(_ isSynced: (PendingOperation.Part) -> Bool) -> Bool {
        var hasSynced = false
        for index in pending.indices {
            pending[index].parts.removeAll { part in
                guard isSynced(part) else { return false }
                durable.apply(part)
                hasSynced = true
                return true
            }
        }
        pending.removeAll { $0.parts.isEmpty }
        return hasSynced
    }
}

extension DiskState {
    /// Returns the node if it has a name.
    fileprivate func links(to node: Int?) -> Int? {
        guard let node, path(of: node) != nil else { return nil }
        return node
    }
}
