import DataStoreCore

extension PageFile {
    /// Reads the meta pages until two reads have the same result. A single read during a commit may return a
    /// half-written page.
    func settledMetas() throws(DataStoreError) -> MetaPages {
        var metas = try metas()
        while true {
            let again = try self.metas()
            if again == metas { return metas }
            metas = again
        }
    }

    /// Reads the meta pages, and throws an error if liblmdb would fail on them or the file is truncated.
    ///
    /// - Returns: The meta pages.
    /// - Throws: `DataStoreError` with the code `corrupted`, or `formatTooNew` if another version of LMDB wrote both
    ///   pages.
    @discardableResult
    func checkMetas() throws(DataStoreError) -> MetaPages {
        let metas = try settledMetas()
        try metas.check()
        guard let newest = metas.newest, newest.isTruncated(pageCount: try pageCount(), pageSize: pageSize) else {
            return metas
        }
        throw DataStoreError.damaged("data.mdb is truncated")
    }

    /// Returns the pages that a read transaction sees. Returns `nil` if its meta page was overwritten, or if the meta
    /// pages changed while they were read.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the meta page is damaged.
    func snapshot(of transaction: RawTransaction) throws(DataStoreError) -> Snapshot? {
        let number = transaction.number
        let metas = try metas()
        // The second commit after this transaction overwrites its meta page. If a second read returns the same page,
        // the first one has read it completely. The other page is not compared, because it may belong to an unfinished
        // commit or to a killed process.
        guard let meta = metas.page(of: UInt(number)), meta.transaction == number,
            meta.damage(pageSize: pageSize) == nil
        else {
            let isOverwritten = metas.page(of: UInt(number)).map { $0.transaction > number } ?? false
            guard !isOverwritten, try self.metas() == metas else { return nil }
            throw DataStoreError.damaged("a meta page of data.mdb is invalid")
        }
        guard try self.metas().page(of: UInt(number)) == meta else { return nil }
        return try Snapshot(self, meta: meta, in: metas)
    }
}
