import DataStoreCore

/// Looks by plain reads, without the map, whether every page of a data file that can be reached lies within the file.
///
/// To touch a page of the map beyond the end of the file is SIGBUS, so a file that was cut off must be found out before
/// it is used. That a file is shorter than its meta page says is no proof: LMDB does not write pages at the end that were
/// used and freed within one transaction (measured: up to five of them). So where a file is short, its trees are walked.
///
/// The layout is that of LMDB 0.9 (`MDB_page`, `MDB_meta`, `MDB_node` in `mdb.c`) with 64-bit words.
struct PageWalk {
    private static let headCount = 16
    private let path: String
    private let pageSize: Int
    /// How many pages the file has.
    private let pageCount: Int
    private var visitedCount = 0

    init(path: String, pageSize: Int, byteCount: Int) {
        self.path = path
        self.pageSize = pageSize
        self.pageCount = byteCount / pageSize
    }

    /// Walks the tree of free pages and that of records, of the newer of the two meta pages.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` where a page is missing.
    mutating func check() throws(DataStoreError) {
        let metas = [try page(0), try page(1)]
        guard let meta = metas.max(by: { $0.integer(at: 144, 8) < $1.integer(at: 144, 8) }) else { return }
        // The roots of the two trees; an empty tree has all bits set.
        for root in [meta.integer(at: 80, 8), meta.integer(at: 128, 8)] where root != .max { try walk(root) }
    }

    private mutating func walk(_ root: UInt64) throws(DataStoreError) {
        var pending = [root]
        while let number = pending.popLast() {
            visitedCount += 1
            // More pages than there are: they lead in a circle.
            guard visitedCount <= pageCount else { throw cutOff() }
            let page = try page(number)
            let flags = page.integer(at: 10, 2)
            let nodeCount = max(0, Int(page.integer(at: 12, 2)) - PageWalk.headCount) / 2
            for index in 0..<nodeCount {
                let node = Int(page.integer(at: PageWalk.headCount + 2 * index, 2))
                let (low, high) = (page.integer(at: node, 2), page.integer(at: node + 2, 2))
                let nodeFlags = page.integer(at: node + 4, 2)
                if flags & 0x01 != 0 {  // A branch: the child's number takes the place of size and flags.
                    pending.append(low | high << 16 | nodeFlags << 32)
                } else if nodeFlags & 0x01 != 0 {  // A leaf whose value is on pages of its own.
                    let start = page.integer(at: node + 8 + Int(page.integer(at: node + 6, 2)), 8)
                    let count = (UInt64(PageWalk.headCount) + (low | high << 16) - 1) / UInt64(pageSize) + 1
                    guard start <= UInt64(pageCount), start + count <= UInt64(pageCount) else { throw cutOff() }
                }
            }
        }
    }

    private func page(_ number: UInt64) throws(DataStoreError) -> [UInt8] {
        guard number < UInt64(pageCount) else { throw cutOff() }
        return try FileSystem.read(path, at: Int(number) * pageSize, count: pageSize)
    }

    private func cutOff() -> DataStoreError {
        DataStoreError(.corrupted, "its data.mdb was cut off: pages that it refers to are missing; restore a backup")
    }
}

extension [UInt8] {
    /// A number in the processor's byte order; what is not there reads as zero.
    fileprivate func integer(at offset: Int, _ count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<count {
            #if _endian(big)
            let place = offset + index
            #else
            let place = offset + count - 1 - index
            #endif
            number = number << 8 | UInt64(indices.contains(place) ? self[place] : 0)
        }
        return number
    }
}
