// The declarations of this target use these modules. Their re-export serves the files here and the programs that import
// the target.
@_exported public import DataStoreQueries
@_exported public import UserProfileDomain
public import Testing

/// A requirement of the `DataStore` contract, with a check that every store must pass.
///
/// With the environment variable `USERPROFILE_FULL_TESTS=1`, the checks of random operations take more rounds. They
/// print their seeds. To reproduce a failure, set `USERPROFILE_TEST_SEED` to the seed of the failed check.
///
/// To test a store, run the checks of all requirements:
///
/// ```swift
/// @Test(arguments: DataStoreConformance.persistent)
/// func conforms(_ requirement: DataStoreConformance) async throws {
///     try await requirement.check { MySubject() }
/// }
/// ```
public struct DataStoreConformance: Sendable, CustomTestStringConvertible {
    /// A closure that creates an empty location for a store.
    package typealias MakeSubject = @Sendable () async throws -> any DataStoreSubject

    /// The requirement as a sentence, which is also the name of the test.
    public let testDescription: String

    private let body: @Sendable (MakeSubject) async throws -> Void

    init(locations description: String, _ body: @escaping @Sendable (MakeSubject) async throws -> Void) {
        self.testDescription = description
        self.body = body
    }

    /// Creates a requirement whose check opens stores at one location. It runs once for each of several inputs, with an
    /// empty location each time.
    init<Input: Sendable>(
        at description: String, for inputs: [Input],
        _ body: @escaping @Sendable (any DataStoreSubject, Input) async throws -> Void
    ) {
        self.init(locations: description) { makeSubject in
            for input in inputs { try await body(try await makeSubject(), input) }
        }
    }

    init(at description: String, _ body: @escaping @Sendable (any DataStoreSubject) async throws -> Void) {
        self.init(at: description, for: [()]) { subject, _ in try await body(subject) }
    }

    /// Creates a requirement whose check needs only one store.
    init(_ description: String, _ body: @escaping @Sendable (any DataStore) async throws -> Void) {
        self.init(at: description) { try await $0.open().closing(after: body) }
    }

    /// Creates a requirement whose check needs one store for each of several inputs, which is empty each time.
    init<Input: Sendable>(
        _ description: String, for inputs: [Input],
        _ body: @escaping @Sendable (any DataStore, Input) async throws -> Void
    ) {
        self.init(at: description, for: inputs) { subject, input in
            try await subject.open().closing { try await body($0, input) }
        }
    }

    /// Checks that a store meets the requirement. Failures are recorded as issues of the running test.
    ///
    /// - Parameter makeSubject: A closure that creates an empty location for a store. It is called at least once.
    /// - Throws: An error that prevents the check, e.g. an unexpected error of the store.
    public func check(_ makeSubject: @Sendable () async throws -> any DataStoreSubject) async throws {
        try await body(makeSubject)
    }

    /// Checks that a volatile store meets the requirement. The records of such a store are lost when it closes.
    /// Failures are recorded as issues of the running test.
    ///
    /// - Parameter makeStore: A closure that creates an empty store. It is called at least once.
    /// - Throws: An error that prevents the check, e.g. an unexpected error of the store.
    public func check(volatile makeStore: @escaping @Sendable () throws -> any DataStore) async throws {
        try await body { VolatileSubject(makeStore: makeStore) }
    }

    /// The requirements for a store whose records are lost when it closes, e.g. a store in memory.
    public static let volatile =
        keyCases + valueCases + modelCases + transactionCases + updateCases + queryCases + indexCases
        + schemaCases + migrationCases + writeMigrationCases + referenceCases + expiryCases + ruleModelCases

    /// The requirements that concern the form in which a store keeps keys and values, for a store with several forms.
    package static let storage = keyCases + valueCases + modelCases + persistenceCases

    /// The requirements for a store whose records are durable, including ``volatile`` and ``large`` but not
    /// ``scopedNotification``.
    public static let persistent = volatile + large + persistenceCases
}

/// A location for a store under test, e.g. a directory. Implement this protocol to check a store whose records remain
/// after the store is closed.
///
/// ```swift
/// struct ShelfSubject: DataStoreSubject {
///     let path: String
///     func open() async throws -> any DataStore { try ShelfStore(path: path) }
///     …
/// }
/// ```
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

extension DataStoreSubject {
    /// Whether the location keeps the records of a closed store.
    var isPersistent: Bool { !(self is VolatileSubject) }

    /// Closes a store and opens it again. A volatile store remains open.
    func reopen(_ store: any DataStore) async throws -> any DataStore {
        guard isPersistent else { return store }
        await store.close()
        return try await open()
    }
}

/// A location for a store whose records are lost when it closes.
struct VolatileSubject: DataStoreSubject {
    let makeStore: @Sendable () throws -> any DataStore

    func open() async throws -> any DataStore { try makeStore() }
    func raiseFormatVersion() async throws {}
    func damage(_ key: Key) async throws {}
    func snapshot() async throws -> [String: [UInt8]] { [:] }
}
