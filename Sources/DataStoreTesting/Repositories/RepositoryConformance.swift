public import Testing

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
    /// The requirement as a sentence, which is also the name of the test.
    public let testDescription: String

    private let rounds: Int
    private let body: @Sendable (any Repository<User>) async throws -> Void

    /// Creates a requirement whose check runs one or several times, each time with an empty repository.
    init(
        _ description: String, rounds: Int = 1, _ body: @escaping @Sendable (any Repository<User>) async throws -> Void
    ) {
        self.testDescription = description
        self.rounds = rounds
        self.body = body
    }

    /// Checks that a repository meets the requirement. Failures are recorded as issues of the running test.
    ///
    /// - Parameter makeRepository: A closure that creates an empty repository. It is called at least once. The check no
    ///   longer uses a repository after it has created the next one.
    /// - Throws: An error that prevents the check, e.g. an unexpected error of the repository.
    public func check(_ makeRepository: @Sendable () async throws -> any Repository<User>) async throws {
        for _ in 0..<rounds { try await body(try await makeRepository()) }
    }

    /// All requirements for repositories.
    public static let all = entityCases + listCases + batchCases + entityQueryCases

    // U+FFFD comes before an emoji in UTF-8 and after it in UTF-16. The two spellings of é are two ids.
    private static let ids = ["0", "00", "A", "Z", "a", "e\u{301}", "z", "é", "\u{FFFD}", "😀"]

    // The id after which a page starts need not exist.
    private static let pages: [(after: String?, limit: Int?, expected: Range<Int>)] = [
        (nil, nil, 0..<10), (nil, 3, 0..<3), ("A", 3, 3..<6), ("A", nil, 3..<10), ("😀", 3, 0..<0), ("z", 100, 7..<10),
        ("B", 2, 3..<5), (nil, 0, 0..<0), (nil, -1, 0..<0), (nil, .max, 0..<10),
    ]

    static let listCases: [RepositoryConformance] = [
        .init("a list is in the order of unsigned bytes, and read page by page") { users in
            for id in ids.shuffled() { try await users.save(User(id: UserID(id))) }
            for (after, limit, expected) in pages {
                let listed = try await users.list(after: after.map { try UserID($0) }, limit: limit)
                // The ids are compared as bytes, because strings in different normalization forms are equal.
                let bytes = listed.map { Array($0.id.text.utf8) }
                #expect(bytes == ids[expected].map { Array($0.utf8) }, "after \(after ?? "-"), limit \(limit ?? -1)")
            }
            let page = try await users.find(Query())
            #expect(try await page.entities == users.list() && page.next == nil)
            #expect(try await users.find(Query(limit: 0)).entities == [])
            #expect(try await users.count() == ids.count)
        }
    ]
}
