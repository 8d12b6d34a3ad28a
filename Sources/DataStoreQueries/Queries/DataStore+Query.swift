public import DataStoreCore

extension DataStore {
    /// Returns the page that a query finds, now and after each change of the query's collection.
    ///
    /// - Parameter query: the records, their order, and how many.
    /// - Returns: the pages.
    public func updates(matching query: RecordQuery) -> RecordUpdates<RecordQuery.Page> {
        updates(within: .collection(query.collection)) { try $0.records(matching: query) }
    }
}
