/// The read that a ``RecordUpdates`` sequence repeats.
package struct ObservedRead<State: Sendable>: Sendable {
    /// The records that every state depends on. A change to any other record need not cause another read.
    package var scopes: Set<ChangeScope>

    /// A closure that reads a state. It receives the previous state, or `nil`. It may run at any time and must have no
    /// other effect.
    package var read: @Sendable (_ previous: State?, borrowing ReadTransaction) throws -> State

    /// A closure that returns whether a state equals the previous one. Equal states are skipped.
    package var isSame: @Sendable (State, State) -> Bool

    /// A closure that returns whether changes of records may change a state. By default, they always do.
    package var isAffected: @Sendable (State, ChangedKeys, borrowing ReadTransaction) -> Bool = { _, _, _ in true }

    /// A closure that returns further records that a state depends on, or `nil` if ``scopes`` has all of them.
    package var dependencies: (@Sendable (State) -> Set<ChangeScope>)?

    /// A closure that returns the time until a state changes without a change to the store, because a record expires,
    /// or `nil` if it does not.
    package var timeLeft: (@Sendable (State) -> Duration?)?

    /// Creates a read of the records in the given scopes.
    package init(
        _ scopes: Set<ChangeScope>, isSame: @escaping @Sendable (State, State) -> Bool,
        _ read: @escaping @Sendable (State?, borrowing ReadTransaction) throws -> State
    ) {
        self.scopes = scopes
        self.isSame = isSame
        self.read = read
    }
}
