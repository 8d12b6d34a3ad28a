extension DataStore {
    /// Returns the record of a key, now and after each change; `nil` while the key does not exist.
    public func updates(of key: Key) -> RecordUpdates<Record?> {
        updates(within: .key(key)) { try $0.record(for: key) }
    }

    /// Returns the entries of a scan, now and after each change.
    public func updates(in scan: Scan) -> RecordUpdates<[Entry]> {
        updates(within: .scan(scan)) { try $0.records(in: scan) }
    }

    /// Returns the result of a read, now and after each change.
    ///
    /// - Parameters:
    ///   - scope: The records that the result depends on. Only changes of these cause another read.
    ///   - read: Reads the result. It may run at any time and must have no other effect.
    /// - Returns: The results.
    package func updates<State: Equatable & Sendable>(
        within scope: ChangeScope, _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> RecordUpdates<State> {
        updates(within: scope, isSame: { $0 == $1 }, read)
    }

    /// Returns the result of a read, now and after each change.
    ///
    /// - Parameters:
    ///   - scope: The records that the result depends on. Only changes of these cause another read.
    ///   - isSame: Whether a result equals the previous one and is skipped.
    ///   - read: Reads the result. It may run at any time and must have no other effect.
    /// - Returns: The results.
    package func updates<State: Sendable>(
        within scope: ChangeScope, isSame: @escaping @Sendable (State, State) -> Bool,
        _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> RecordUpdates<State> {
        RecordUpdates(self, scope, read, isSame: isSame)
    }
}
