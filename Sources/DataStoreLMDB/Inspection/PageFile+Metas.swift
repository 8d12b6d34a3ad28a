import DataStoreCore

extension PageFile {
    /// Refuses meta pages that liblmdb would stumble over.
    ///
    /// Others may be writing. What is damaged stays as it is, so it is looked at again until nothing changes.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` or `formatTooNew`.
    func checkMetas() throws(DataStoreError) {
        var metas = try metas()
        while true {
            do throws(DataStoreError) {
                return try metas.check()
            } catch {
                let again = try self.metas()
                guard again != metas else { throw error }
                metas = again
            }
        }
    }
}
