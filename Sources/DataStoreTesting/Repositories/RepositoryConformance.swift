public import Testing
public import UserProfileDomain

/// A requirement of the `Repository` protocol, with a check that every repository of users must pass.
///
/// To test a repository, run the checks of all requirements:
///
/// ```swift
/// @Test(arguments: RepositoryConformance.all)
/// func conforms(_ requirement: RepositoryConformance) async throws {
///     try await requirement.check { try MyRepository() }
/// }
/// ```
public struct RepositoryConformance: Sendable, CustomTestStringConvertible {
    /// A closure that creates an empty repository.
    typealias MakeRepository = @Sendable () async throws -> any Repository<User>

    /// The requirement as a sentence, which is also the name of the test.
    public let testDescription: String

    private let body: @Sendable (MakeRepository) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (MakeRepository) async throws -> Void) {
        self.testDescription = description
        self.body = body
    }

    /// Creates a requirement whose check needs only one repository.
    init(_ description: String, users body: @escaping @Sendable (any Repository<User>) async throws -> Void) {
        self.init(description) { makeRepository in try await body(try await makeRepository()) }
    }

    /// Checks that a repository meets the requirement. Failures are recorded as issues of the running test.
    ///
    /// - Parameter makeRepository: A closure that creates an empty repository. It is called at least once. The check no
    ///   longer uses a repository after it has created the next one.
    /// - Throws: An error that prevents the check, e.g. an unexpected error of the repository.
    public func check(_ makeRepository: @Sendable () async throws -> any Repository<User>) async throws {
        try await body(makeRepository)
    }

    /// All requirements for repositories.
    public static let all = entityCases + listCases + entityUpdateCases + entityQueryCases
}
