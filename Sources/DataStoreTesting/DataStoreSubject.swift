public import DataStoreCore

/// A location for a store under test, e.g. a directory. Implement this protocol to check a store whose records remain
/// after the store is closed.
///
/// A test creates a new, empty location for each check.
public protocol DataStoreSubject: Sendable {
    /// Opens the store at the location. Each call returns a new store object for the same records.
    func open() async throws -> any DataStore

    /// Raises the format version of the store at the location, as if a newer program had written the store. No store is
    /// open during the call.
    func raiseFormatVersion() async throws

    /// Damages the stored record of a key by changing some of its bytes. No store is open during the call.
    func damage(_ key: Key) async throws

    /// Returns all stored bytes by file name. A check compares the bytes before and after a failed operation to verify
    /// that the operation changed nothing.
    func snapshot() async throws -> [String: [UInt8]]
}

/// A location for a store whose records are lost when it closes.
struct VolatileSubject: DataStoreSubject {
    let makeStore: @Sendable () throws -> any DataStore

    func open() async throws -> any DataStore { try makeStore() }
    func raiseFormatVersion() async throws {}
    func damage(_ key: Key) async throws {}
    func snapshot() async throws -> [String: [UInt8]] { [:] }
}
