/// A store with values that are read where nothing is stored.
///
/// ```swift
/// let me = try Key(collection: "users", id: "me")
/// let store = try RegisteredDefaults(
///     over: fileStore, registering: [Entry(key: me, record: ["mailAddress": .string("info@example.com")])])
/// ```
///
/// The layers are those of `UserDefaults`, which has a registration domain below what is stored; a key there is a field of
/// a record here.
///
/// - **Reads** (and so `updates(of:)` and `updates(in:)`) see each stored record with the registered fields that it lacks,
///   and a registered record where none is stored, also in scans. A field that is stored is what is read. Fields are not
///   merged within: a record within a record is one value.
/// - **Writes** see and change what is stored, and nothing else: a closure that reads a record, changes it and puts it
///   never stores what was registered. So `remove` says whether something was stored, and what was removed reads as
///   registered again. A write that starts from what a reader would see asks ``layered(_:for:)``.
/// - **Nothing is written** by registering, so the registration is one of this store alone: other stores of the same
///   place, and later runs of the program, have their own.
///
/// What is damaged is an error, as without the registration, and never replaced by it. Where nothing is registered for a
/// key, everything is as the store below has it, to whom all of the contract is left.
public struct RegisteredDefaults: DataStore {
    private let store: any DataStore
    private let registered: RecordTree

    /// Registers values over a store.
    ///
    /// - Parameters:
    ///   - store: what values are stored in. To close this one closes that, too.
    ///   - entries: what is read where it is not stored. Entries of one key are taken together; a field that comes
    ///     again has its last value.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidRecord`` where a record is past a limit of
    ///   ``Record``.
    public init(over store: any DataStore, registering entries: some Sequence<Entry>) throws(DataStoreError) {
        self.store = store
        var registered = RecordTree()
        for entry in entries {
            let record = registered.record(for: entry.key).map { entry.record.filled(from: $0) } ?? entry.record
            do {
                try record.validate()
            } catch {
                throw error.adding(operation: "register a record", key: entry.key)
            }
            registered.put(record, for: entry.key)
        }
        self.registered = registered
    }

    /// What a read sees where a record is stored, or none.
    ///
    /// - Parameters:
    ///   - stored: the stored record, or nil where there is none.
    ///   - key: its key.
    /// - Returns: the stored record with the registered fields that it lacks; nil where there is neither.
    public func layered(_ stored: Record?, for key: Key) -> Record? {
        guard let defaults = registered.record(for: key) else { return stored }
        return stored?.filled(from: defaults) ?? defaults
    }

    /// Runs a closure on one snapshot of the store, with what is registered.
    public func read<Result: Sendable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        guard registered.count > 0 else { return try await store.read(body) }
        return try await store.read { transaction in
            try body(ReadTransaction(LayeredBackend(registered, below: transaction.backend)))
        }
    }

    /// Runs a closure that sees and changes what is stored.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(body)
    }

    /// The store's own: what is registered never changes.
    public func generation() async throws -> UInt64 { try await store.generation() }

    /// The store's own, too.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await store.observe(scope, wake)
    }

    /// Closes the store below.
    public func close() async { await store.close() }
}
