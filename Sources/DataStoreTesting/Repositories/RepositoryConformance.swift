public import Testing
public import UserProfileDomain

/// A requirement of the `Repository` protocol, as a check that every repository of users must pass, wherever it keeps
/// them.
///
/// A test of a repository runs all of them:
///
/// ```swift
/// @Test(arguments: RepositoryConformance.all)
/// func conforms(_ requirement: RepositoryConformance) async throws {
///     try await requirement.check { try MyRepository() }
/// }
/// ```
public struct RepositoryConformance: Sendable, CustomTestStringConvertible {
    /// Creates an empty repository.
    typealias MakeRepository = @Sendable () async throws -> any Repository<User>

    /// The requirement, as a sentence.
    public let testDescription: String

    private let body: @Sendable (MakeRepository) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (MakeRepository) async throws -> Void) {
        self.testDescription = description
        self.body = body
    }

    /// Creates a check that needs only one repository.
    init(_ description: String, users body: @escaping @Sendable (any Repository<User>) async throws -> Void) {
        self.init(description) { makeRepository in try await body(try await makeRepository()) }
    }

    /// Checks a repository. Failures are recorded as issues of the running test.
    ///
    /// - Parameter makeRepository: Creates an empty repository. It is called at least once, and a repository is no
    ///   longer used when the next one is created.
    /// - Throws: Any other error, e.g. an unexpected error of the repository.
    public func check(_ makeRepository: @Sendable () async throws -> any Repository<User>) async throws {
        try await body(makeRepository)
    }

    /// All requirements.
    public static let all = entityCases + listCases + entityUpdateCases + entityQueryCases
}
