package import DataStoreCore

extension DataStore {
    /// Returns the page that a query selects, now and after each change of its collection.
    ///
    /// - Parameter query: The condition, the order and the number of records.
    /// - Returns: The pages.
    package func updates(matching query: RecordQuery) -> RecordUpdates<RecordQuery.Page> {
        updates(within: .collection(query.collection)) { try $0.records(matching: query) }
    }
}
