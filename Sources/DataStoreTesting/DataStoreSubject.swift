public import DataStoreCore

/// A place with a store in it that is put to the test.
///
/// A test makes a new one for each case: an empty place of its own.
public protocol DataStoreSubject: Sendable {
    /// Opens the store at the place; each call another one, of the same records.
    func open() async throws -> any DataStore

    /// Raises the version of the format of the store at the place, as if a newer program had written it. No store is
    /// open.
    func raiseFormatVersion() async throws

    /// Changes bytes of the stored record of a key. No store is open.
    func damage(_ key: Key) async throws

    /// Everything that is kept at the place, to see that it was left untouched.
    func snapshot() async throws -> [String: [UInt8]]
}

/// A subject whose records live no longer than the store, e.g. in memory.
public struct VolatileSubject: DataStoreSubject {
    private let makeStore: @Sendable () throws -> any DataStore

    /// Makes a subject.
    ///
    /// - Parameter makeStore: makes an empty store.
    public init(_ makeStore: @escaping @Sendable () throws -> any DataStore) { self.makeStore = makeStore }

    /// A new, empty store.
    public func open() async throws -> any DataStore { try makeStore() }

    /// Does nothing: there is nothing beyond the store.
    public func raiseFormatVersion() async throws {}

    /// Does nothing: there is nothing beyond the store.
    public func damage(_ key: Key) async throws {}

    /// Nothing: there is nothing beyond the store.
    public func snapshot() async throws -> [String: [UInt8]] { [:] }
}
