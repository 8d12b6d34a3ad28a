import DataStoreCore
public import Testing

/// One point of the contract of `DataStore`, as a check that any store must pass.
///
/// A store's tests run them all:
///
/// ```swift
/// @Test(arguments: DataStoreConformance.persistent)
/// func keepsTheContract(_ point: DataStoreConformance) async throws {
///     try await point.check { MySubject() }
/// }
/// ```
public struct DataStoreConformance: Sendable, CustomTestStringConvertible {
    /// Makes an empty place with a store in it.
    public typealias MakeSubject = @Sendable () async throws -> any DataStoreSubject

    /// What the store must do, as a sentence.
    public let testDescription: String

    private let body: @Sendable (MakeSubject) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (MakeSubject) async throws -> Void) {
        self.testDescription = description
        self.body = body
    }

    /// A check that needs one store and no more.
    init(_ description: String, store body: @escaping @Sendable (any DataStore) async throws -> Void) {
        self.init(description) { makeSubject in
            let store = try await makeSubject().open()
            try await body(store)
            await store.close()
        }
    }

    /// Checks a store; failures are recorded as issues of the running test.
    ///
    /// - Parameter makeSubject: makes an empty place with a store in it; it is called once or more.
    /// - Throws: what went wrong beside the checks, e.g. an error of the store that is not expected.
    public func check(_ makeSubject: MakeSubject) async throws { try await body(makeSubject) }

    /// The points that a store keeps whose records end with it.
    public static let volatile =
        keyPoints + valuePoints + viewPoints + orderPoints + isolationPoints + writePoints + updatePoints + modelPoints
        + queryPoints + indexPoints + schemaPoints

    /// The points that a store keeps, beside the contract, which tells of its own commits as `ChangeObservers` does,
    /// and so wakes only whom they concern. (Where a store leaves `observe` as it is, the generation is asked for, and
    /// everybody is woken.)
    public static let telling = tellingPoints

    /// The points with thousands of records. They take long for a store that searches linearly.
    public static let large = largeSchemaPoints

    /// The points that a store keeps whose records are there when it is opened again: the whole contract.
    public static let persistent =
        volatile + large + persistencePoints + persistentUpdatePoints + persistentIndexPoints + persistentSchemaPoints
}
