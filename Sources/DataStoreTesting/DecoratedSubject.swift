public import DataStoreCore

/// A subject whose store is wrapped in another one, which is what is put to the test.
///
/// ```swift
/// try await point.check { DecoratedSubject(try MySubject()) { LoggingStore($0) } }
/// ```
public struct DecoratedSubject: DataStoreSubject {
    private let subject: any DataStoreSubject
    private let decorate: @Sendable (any DataStore) throws -> any DataStore

    /// Makes a subject.
    ///
    /// - Parameters:
    ///   - subject: the place of the store that is wrapped.
    ///   - decorate: wraps it.
    public init(
        _ subject: any DataStoreSubject, decorate: @escaping @Sendable (any DataStore) throws -> any DataStore
    ) {
        self.subject = subject
        self.decorate = decorate
    }

    /// Opens the store below and wraps it.
    public func open() async throws -> any DataStore { try decorate(try await subject.open()) }

    /// Raises the version of the store below.
    public func raiseFormatVersion() async throws { try await subject.raiseFormatVersion() }

    /// Damages a record of the store below.
    public func damage(_ key: Key) async throws { try await subject.damage(key) }

    /// What is kept at the place of the store below.
    public func snapshot() async throws -> [String: [UInt8]] { try await subject.snapshot() }
}
