import DataStoreCore
import Synchronization
import UserProfileDomain
import UserProfileKit

/// A kind of store as another package could add it. Its stores are in memory and survive closing.
struct BoxStoreKind: StoreKind {
    let scheme = "box"
    let registry = BoxRegistry()
    /// A closure that is called with each store before the store is opened, as another program would use the store.
    var willOpen: @Sendable (MemoryDataStore) async throws -> Void = { _ in }

    func address(from text: String) throws(DataStoreError) -> String {
        guard !text.isEmpty, !text.contains(" ") else {
            throw DataStoreError(.notAStore, "a name without spaces must follow box:")
        }
        return text
    }

    func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        report?("a box was opened")
        let store = registry.store(named: address)
        try await willOpen(store)
        return BoxStore(store: store)
    }

    func exists(at address: String) async throws -> Bool { registry.hasStore(named: address) }
}

/// The stores of a ``BoxStoreKind`` by their names.
final class BoxRegistry: Sendable {
    private let stores = Mutex<[String: MemoryDataStore]>([:])

    /// Returns the store with a name, and creates it if it does not exist.
    func store(named name: String) -> MemoryDataStore {
        stores.withLock { stores in
            let store = stores[name] ?? MemoryDataStore()
            stores[name] = store
            return store
        }
    }

    /// Returns whether a store has been opened under a name.
    func hasStore(named name: String) -> Bool { stores.withLock { $0[name] != nil } }
}

/// A store that the kit uses only through the protocol `DataStore`.
struct BoxStore: DataStore {
    let store: MemoryDataStore

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try store.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(body)
    }

    func generation() async throws -> UInt64 { try store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        await observeByPolling(wake)
    }

    /// Closing keeps the records for the next opening.
    func close() async {}
}

/// A kind of store whose stores are damaged.
struct ShelfStoreKind: StoreKind {
    let scheme = "shelf"

    func address(from text: String) throws(DataStoreError) -> String { text }

    func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        MemoryDataStore()
    }

    func check(at address: String) async throws -> [String] { ["the second record is damaged"] }

    func salvage(at address: String, into target: any DataStore) async throws -> RecoveryReport {
        try await target.write { try $0.put(["title": .string("milk")], for: Key(collection: "notes", id: "1")) }
        return RecoveryReport(savedCount: 1, losses: ["the second record is lost"])
    }

    func recover(at address: String) async throws -> RecoveryReport {
        RecoveryReport(savedCount: 1, losses: ["the second record is lost"], damagedFile: "\(address).damaged")
    }
}
