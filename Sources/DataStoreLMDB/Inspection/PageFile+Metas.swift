import DataStoreCore

extension PageFile {
    /// The meta pages as they are while nobody writes them: whoever reads one that is being written may read half of
    /// it.
    func settledMetas() throws(DataStoreError) -> MetaPages {
        var metas = try metas()
        while true {
            let again = try self.metas()
            if again == metas { return metas }
            metas = again
        }
    }

    /// Refuses meta pages that liblmdb would stumble over.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` or `formatTooNew`.
    func checkMetas() throws(DataStoreError) {
        let metas = try settledMetas()
        try metas.check()
        guard let newest = metas.newest, newest.isCutOff(pageCount: try pageCount(), pageSize: pageSize) else { return }
        throw DataStoreError(.corrupted, "its data.mdb was cut off; salvage what is left or restore a backup")
    }
}
