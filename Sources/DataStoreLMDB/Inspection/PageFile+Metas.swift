import DataStoreCore

extension PageFile {
    /// Returns the meta pages after reading them twice with the same result. A single read during a commit may return a
    /// half-written page.
    func settledMetas() throws(DataStoreError) -> MetaPages {
        var metas = try metas()
        while true {
            let again = try self.metas()
            if again == metas { return metas }
            metas = again
        }
    }

    /// Rejects meta pages that would make liblmdb fail.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` or `formatTooNew`.
    func checkMetas() throws(DataStoreError) {
        let metas = try settledMetas()
        try metas.check()
        guard let newest = metas.newest, newest.isTruncated(pageCount: try pageCount(), pageSize: pageSize) else {
            return
        }
        throw DataStoreError.damaged("data.mdb is truncated")
    }
}
