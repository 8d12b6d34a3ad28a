public import DataStoreCore
public import Testing

/// A requirement of the `DataStore` contract, as a check that every store must pass.
///
/// A test of a store runs all of them:
///
/// ```swift
/// @Test(arguments: DataStoreConformance.persistent)
/// func conforms(_ requirement: DataStoreConformance) async throws {
///     try await requirement.check { MySubject() }
/// }
/// ```
public struct DataStoreConformance: Sendable, CustomTestStringConvertible {
    /// Creates an empty place with a store in it.
    package typealias MakeSubject = @Sendable () async throws -> any DataStoreSubject

    /// The requirement, as a sentence.
    public let testDescription: String

    private let body: @Sendable (MakeSubject) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (MakeSubject) async throws -> Void) {
        self.testDescription = description
        self.body = body
    }

    /// Creates a check that needs only one store.
    init(_ description: String, store body: @escaping @Sendable (any DataStore) async throws -> Void) {
        self.init(description) { makeSubject in
            let store = try await makeSubject().open()
            try await body(store)
            await store.close()
        }
    }

    /// Checks a store. Failures are recorded as issues of the running test.
    ///
    /// - Parameter makeSubject: Creates an empty place with a store in it. It is called at least once.
    /// - Throws: Any other error, e.g. an unexpected error of the store.
    public func check(_ makeSubject: @Sendable () async throws -> any DataStoreSubject) async throws {
        try await body(makeSubject)
    }

    /// Checks a store whose records are lost when it closes, e.g. one in memory. Failures are recorded as issues of the
    /// running test.
    ///
    /// - Parameter makeStore: Creates an empty store. It is called at least once.
    /// - Throws: Any other error, e.g. an unexpected error of the store.
    public func check(volatile makeStore: @escaping @Sendable () throws -> any DataStore) async throws {
        try await body { VolatileSubject(makeStore: makeStore) }
    }

    /// The requirements for a store whose records are lost when it closes.
    public static let volatile =
        keyCases + valueCases + viewCases + orderCases + isolationCases + writeCases + updateCases + modelCases
        + queryCases + indexCases + schemaCases + migrationCases

    /// Requirements beyond the contract, for a store that notifies only the observers concerned by a commit, as
    /// `ChangeObservers` does. (A store that does not implement `observe` polls the generation and wakes all
    /// observers.)
    public static let scopedNotification = observationCases

    /// Requirements that need thousands of records. A store that searches linearly takes long to pass them.
    public static let large = largeSchemaCases + largeMigrationCases

    /// The requirements for a store whose records are durable: the whole contract.
    public static let persistent =
        volatile + large + persistenceCases + persistentUpdateCases + persistentIndexCases + persistentSchemaCases
        + persistentMigrationCases
}
