extension DataStore {
    /// The record of a key, now and after each change of it.
    ///
    /// - Parameter key: which record.
    /// - Returns: the states, nil where the key is not there.
    public func updates(of key: Key) -> RecordUpdates<Record?> {
        updates(within: .key(key)) { try $0.record(for: key) }
    }

    /// The entries of a scan, now and after each change of them.
    ///
    /// - Parameter scan: which records.
    /// - Returns: the states.
    public func updates(in scan: Scan) -> RecordUpdates<[Entry]> {
        updates(within: .scan(scan)) { try $0.records(in: scan) }
    }

    /// What a read answers, now and after each change of it.
    ///
    /// - Parameters:
    ///   - scope: what the answer depends on: nothing else is looked at to see whether to read again.
    ///   - read: reads. It runs once in a while and must have no other effect.
    /// - Returns: the answers.
    public func updates<State: Equatable & Sendable>(
        within scope: ChangeScope, _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> RecordUpdates<State> {
        updates(within: scope, isSame: { $0 == $1 }, read)
    }

    /// What a read answers, now and after each change of it.
    ///
    /// - Parameters:
    ///   - scope: what the answer depends on: nothing else is looked at to see whether to read again.
    ///   - isSame: whether an answer is the same as the one before, and so not repeated.
    ///   - read: reads. It runs once in a while and must have no other effect.
    /// - Returns: the answers.
    public func updates<State: Sendable>(
        within scope: ChangeScope, isSame: @escaping @Sendable (State, State) -> Bool,
        _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> RecordUpdates<State> {
        RecordUpdates(self, scope, read, isSame: isSame)
    }
}
