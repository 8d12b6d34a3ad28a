import DataStoreCore

/// The cause of an error with the code `indexNotReady`: which index to complete.
struct IndexNotReady: Error {
    let field: QueryField
    let collection: String
    /// Why the index cannot be completed; `nil` if it only has to be rebuilt.
    let cause: DataStoreError?

    /// The error of a write that a unique index cannot check; without a cause, the index only has to be rebuilt.
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
