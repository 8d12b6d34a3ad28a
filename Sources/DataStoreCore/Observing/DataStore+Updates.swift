extension DataStore {
    /// Returns a sequence of the states of a record: first the current record, then the new record after each change.
    /// An element is `nil` while the key does not exist.
    public func updates(of key: Key) -> RecordUpdates<Record?> {
        updates(within: .key(key)) { try $0.record(for: key) }
    }

    /// Returns a sequence of the results of a scan: first the current entries, then all entries of the scan after each
    /// change.
    public func updates(in scan: Scan) -> RecordUpdates<[Entry]> {
        updates(within: .scan(scan)) { try $0.records(in: scan) }
    }

    /// Returns a sequence of the results of a repeated read: first the current result, then the new result after each
    /// change.
    ///
    /// - Parameters:
    ///   - scope: The records that the result depends on. A change to any other record need not cause another read.
    ///   - read: A closure that reads the result. It may run at any time and must have no other effect.
    /// - Returns: The sequence.
    package func updates<State: Equatable & Sendable>(
        within scope: ChangeScope, _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> RecordUpdates<State> {
        updates(within: scope, isSame: { $0 == $1 }, read)
    }

    /// Returns a sequence of the results of a repeated read: first the current result, then the new result after each
    /// change.
    ///
    /// - Parameters:
    ///   - scope: The records that the result depends on. A change to any other record need not cause another read.
    ///   - isSame: A closure that returns whether a result equals the previous one. Equal results are skipped.
    ///   - read: A closure that reads the result. It may run at any time and must have no other effect.
    /// - Returns: The sequence.
    package func updates<State: Sendable>(
        within scope: ChangeScope, isSame: @escaping @Sendable (State, State) -> Bool,
        _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> RecordUpdates<State> {
        RecordUpdates(self, scope, read, isSame: isSame)
    }
}
