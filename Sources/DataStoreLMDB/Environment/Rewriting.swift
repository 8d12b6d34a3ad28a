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
        var hasEntry = try entries.moveToFirst(from: Span())
        while hasEntry {
            let transaction = try environment.begin(readOnly: false)
            do throws(DataStoreError) {
                let target = try transaction.cursor()
                var remaining = Snapshot.batchByteCount
                while hasEntry, remaining > 0 {
                    try entries.withEntry { key, value throws(DataStoreError) in
                        try target.put(value, for: key, isLast: true)
                        remaining -= key.count + value.count
                    }
                    hasEntry = try entries.move(isReversed: false)
                }
            } catch {
                transaction.abort()
                throw error
            }
            try transaction.commit()
        }
    }
}
