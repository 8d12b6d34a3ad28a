import DataStoreCore

/// The cause of a `DataStoreError` with the code `indexNotReady`. It names the index that must be completed.
struct IndexNotReady: Error {
    let field: QueryField
    let collection: String
    /// The reason why the index cannot be completed, or `nil` if rebuilding it is sufficient.
    let cause: DataStoreError?

    /// Returns an error which states that a unique index is incomplete, so that it cannot check a write. `cause` is the
    /// reason why the index cannot be rebuilt, or `nil` if it can be rebuilt.
    static func error(
        _ field: QueryField, of collection: String, _ cause: DataStoreError? = nil
    ) -> DataStoreError {
        let index = "the unique index \(field.name) of \(collection) is incomplete"
        let reason =
            cause.map { "\(index) and cannot be rebuilt until a duplicate is removed: \($0)" }
            ?? "\(index); rebuild the indexes and retry"
        return DataStoreError(
            .indexNotReady, reason, underlying: IndexNotReady(field: field, collection: collection, cause: cause))
    }
}
