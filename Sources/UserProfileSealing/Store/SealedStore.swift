// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import UserProfileData

#if Sealing
import Synchronization

extension StoreKeys {
    /// Returns the keys of a source, which a storage asks for its key when it first seals or opens a value.
    public static func source(_ source: SealingKeySource) -> StoreKeys {
        StoreKeys { SealedStore($0, source) }
    }
}

/// A store whose sealed fields can be opened. It loads the keys when a transaction first needs them, and again after
/// another program has changed them. A transaction that lacks something fails, and runs again.
package final class SealedStore: WrappingDataStore, ImmediateDataStore, StoreSealing {
    fileprivate final class Loaded: Sendable {
        let epoch: Int64
        let keyring: SealingKeyring
        /// The sealers by field.
        let sealers: [SealedPath: FieldSealer]

        init(_ stored: SealingEnvelope, _ key: SealingKey, _ rules: StoreRules) throws {
            keyring = try stored.open(with: key)
            epoch = rules.sealingEpoch
            sealers = try rules.sealed.mapValues(keyring.sealer)
        }
    }

    private struct State {
        var loaded: Loaded?
        /// The number of times that other keys were loaded.
        var loadCount = 0
        /// The number of messages that the next reservation reserves. A command that saves one value wastes few, and a
        /// server reserves seldom.
        var reservation: Int64 = 256
    }

    package let base: any DataStore
    /// The base if its reads neither suspend nor wait for a server.
    private let immediateBase: (any ImmediateDataStore)?
    private let source: SealingKeySource
    private let state = Mutex(State())

    package init(_ base: any DataStore, _ source: SealingKeySource) {
        self.base = base
        immediateBase = base.immediate
        self.source = source
    }

    package var store: any DataStore { self }
    package var omitsSealedFields: Bool { false }

    package func sealing(of definition: SealedFieldDefinition, in collection: String) -> any FieldSealing {
        SealedStoreField(store: self, path: definition.path(in: collection))
    }

    package func seal(_ fields: [SealedPath: SealedFieldDefinition], through records: SchemaStore) async throws {
        try await records.seal(fields, with: source)
    }

    /// Returns the loaded keys.
    fileprivate func keys() throws(DataStoreError) -> Loaded {
        guard let loaded = state.withLock({ $0.loaded }) else { throw SealingNeed.keys.error }
        return loaded
    }

    // MARK: Transactions

    package func read<Result: Sendable>(
        _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await providing {
            try await base.read { transaction in try run(since: checkEpoch(transaction)) { try body(transaction) } }
        }
    }

    package func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await providing {
            try await base.read(prefetching: key) { transaction in
                try run(since: checkEpoch(transaction)) { try body(transaction) }
            }
        }
    }

    package var waitsForServer: Bool { immediateBase == nil }

    package func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        guard let immediateBase else { throw SealingNeed.keys.error }
        return try immediateBase.read { transaction in
            try run(since: checkEpoch(transaction)) { try body(transaction) }
        }
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await providing {
            try await base.write { [self] transaction in
                try run(since: checkEpoch(transaction.reading)) { try body(&transaction) }
            }
        }
    }

    /// Throws an error if the keys are loaded, but the store has other ones, because a program must not open or seal a
    /// value with a data key that another program has replaced. Returns the number of loads.
    private func checkEpoch(_ transaction: borrowing ReadTransaction) throws(DataStoreError) -> Int {
        let (epoch, count) = state.withLock { ($0.loaded?.epoch, $0.loadCount) }
        if let epoch, try transaction.rules().sealingEpoch != epoch { throw SealingNeed.keys.error }
        return count
    }

    /// Runs the closure of a transaction. Throws an error if another task has loaded keys since the transaction began:
    /// they may be those of another snapshot, so what the transaction has read may be wrong.
    private func run<Result>(since count: Int, _ body: () throws -> Result) throws -> Result {
        let result = Swift.Result { try body() }
        if state.withLock({ $0.loadCount }) != count { throw SealingNeed.keys.error }
        return try result.get()
    }

    /// Runs a transaction. If it lacks keys or messages, provides them and runs it again.
    private func providing<Result>(_ transaction: () async throws -> Result) async throws -> Result {
        for _ in 0..<SealedStore.maximumAttemptCount {
            do {
                return try await transaction()
            } catch {
                switch SealingNeed(of: error) {
                case .keys?: try await load()
                case .messages?: try await reserve()
                case nil: throw error
                }
            }
        }
        return try await transaction()
    }

    /// More attempts than reservations until the greatest one, so that only programs that change the keys again and
    /// again make a transaction fail.
    private static let maximumAttemptCount = 16

    // MARK: Keys

    /// Loads the keys and the sealed fields of the store.
    private func load() async throws {
        let (stored, rules) = try await base.read { (try SealingEnvelope(in: $0), try $0.rules()) }
        let loaded = try Loaded(stored, await source.key(for: stored.request), rules)
        state.withLock { state in
            if state.loaded?.epoch == loaded.epoch { return }
            state.loaded = loaded
            state.loadCount += 1
        }
    }

    /// Reserves messages of the data key that seals new values.
    private func reserve() async throws {
        let count = state.withLock { state in
            defer { state.reservation = min(state.reservation * 16, 1 << 24) }
            return state.reservation
        }
        let reservation = try await base.write { transaction in
            var stored = try SealingEnvelope(in: transaction.reading)
            let reservation = try stored.reserve(count)
            try stored.put(in: &transaction)
            return reservation
        }
        // Without the keys, the next use loads them.
        state.withLock { if $0.loaded?.keyring.allow(reservation) != true { $0.loaded = nil } }
    }
}

/// The sealing of one field of an open store.
private final class SealedStoreField: FieldSealing {
    private let store: SealedStore
    private let path: SealedPath
    /// The sealer of the loaded keys, because finding it takes as long as decrypting a value.
    private let cached = Mutex<(keys: SealedStore.Loaded, sealer: FieldSealer)?>(nil)

    init(store: SealedStore, path: SealedPath) {
        self.store = store
        self.path = path
    }

    func blind(of value: Value) throws(DataStoreError) -> Value { .sealed(try sealer().header(of: value)) }

    func seal(_ value: Value, inRecord id: String) throws(DataStoreError) -> Value {
        .sealed(try sealer().seal(value, inRecord: id))
    }

    func open(_ bytes: [UInt8], inRecord id: String, into cbor: inout [UInt8]) throws(DataStoreError) {
        let sealer = try sealer()
        do throws(DataStoreError) {
            try sealer.open(bytes, inRecord: id, into: &cbor)
        } catch {
            throw DataStoreError(
                error.code, "the field \(path.id.escapingControlCharacters): \(error.reason)",
                underlying: error.underlying)
        }
    }

    private func sealer() throws(DataStoreError) -> FieldSealer {
        let keys = try store.keys()
        if let cached = cached.withLock({ $0 }), cached.keys === keys { return cached.sealer }
        guard let sealer = keys.sealers[path] else {
            throw DataStoreError(
                .misuse,
                "the field \(path.id) of \(path.collection) is not sealed in this store yet; open the "
                    + "storage with its sealing key")
        }
        cached.withLock { $0 = (keys, sealer) }
        return sealer
    }
}
#endif
