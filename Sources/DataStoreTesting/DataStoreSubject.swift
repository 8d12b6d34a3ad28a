public import DataStoreCore

/// A place with a store to test.
///
/// A test creates a new, empty place for each check.
public protocol DataStoreSubject: Sendable {
    /// Opens the store at the place. Each call opens another store with the same records.
    func open() async throws -> any DataStore

    /// Raises the format version of the store at the place, as if a newer program had written it. No store is open
    /// during the call.
    func raiseFormatVersion() async throws

    /// Changes bytes of the stored record of a key. No store is open during the call.
    func damage(_ key: Key) async throws

    /// Returns everything that is stored at the place, to verify that a failed operation leaves it unchanged.
    func snapshot() async throws -> [String: [UInt8]]
}

/// A subject whose records are lost when the store closes. It stores nothing outside its stores.
struct VolatileSubject: DataStoreSubject {
    let makeStore: @Sendable () throws -> any DataStore

    func open() async throws -> any DataStore { try makeStore() }
    func raiseFormatVersion() async throws {}
    func damage(_ key: Key) async throws {}
    func snapshot() async throws -> [String: [UInt8]] { [:] }
}
