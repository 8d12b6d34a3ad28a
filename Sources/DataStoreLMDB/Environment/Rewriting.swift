import DataStoreCore
import DataStoreSystem

extension Snapshot {
    /// The number of bytes after which a copy commits, which bounds the memory for its pages.
    private static let batchByteCount = 1 << 24

    /// Writes all entries, in their order, to a new environment in an empty file.
    ///
    /// A copy of the pages would also contain the remains of deleted entries: bytes between the entries of a page, and
    /// keys of branch pages. The new pages contain nothing but the entries. The caller syncs the file.
    func rewrite(to file: String) throws(DataStoreError) {
        // Pages of another size can need more room.
        let byteCount = 4 * (Int(meta.lastPage) + 1) * self.file.pageSize
        let environment = try RawEnvironment(creating: file, mapByteCount: max(Int(meta.mapSize), byteCount, 1 << 20))
        defer { environment.close() }
        var entries = VerifyingCursor(self)
        let start: [UInt8] = []
        var hasEntry = try entries.moveToFirst(from: start.span)
        while hasEntry {
            let transaction = try environment.begin(readOnly: false)
            do throws(DataStoreError) {
                hasEntry = try entries.append(to: transaction, byteCount: Snapshot.batchByteCount)
            } catch {
                transaction.abort()
                throw error
            }
            try transaction.commit()
        }
    }
}

extension VerifyingCursor {
    /// Appends entries to an environment, from the current one on, and moves to the next one.
    ///
    /// - Parameters:
    ///   - transaction: A write transaction of the environment, which has no later entry.
    ///   - byteCount: The number of bytes to append before the function returns.
    /// - Returns: Whether there is a next entry.
    /// - Throws: `DataStoreError` if an entry is damaged or cannot be written.
    fileprivate mutating func append(
        to transaction: RawTransaction, byteCount: Int
    ) throws(DataStoreError) -> Bool {
        let target = try transaction.cursor()
        var remaining = byteCount
        repeat {
            try withEntry { key, value throws(DataStoreError) in
                try target.put(value, for: key, isLast: true)
                remaining -= key.count + value.count
            }
            guard try step(isReversed: false) else { return false }
        } while remaining > 0
        return true
    }
}
