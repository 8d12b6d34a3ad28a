import DataStoreCore

/// An index that is incomplete, so that it cannot check a write.
struct IndexNotReady: Error {
    let field: QueryField
    let collection: String
    /// The error that names two records with equal values, because of which the index cannot be completed. It is `nil`
    /// if rebuilding the index is sufficient.
    var cause: DataStoreError?

    /// The error for the caller of a write, with the code `indexNotReady`. The store finds this value in it to rebuild
    /// the index.
    var error: DataStoreError {
        let index = "the index \(field.name) of \(collection) is incomplete"
        let reason =
            cause.map { "\(index) and cannot be rebuilt until a duplicate is removed: \($0)" }
            ?? "\(index); rebuild the indexes and retry"
        return DataStoreError(.indexNotReady, reason, underlying: self)
    }
}
