import AsyncHTTPClient
import UserProfileDomain

/// The users of `Examples/ProfileService`: a repository over HTTP.
///
/// ```swift
/// let users = RemoteRepository("http://127.0.0.1:8080")
/// let page = try await users.find(Query(where: \.birthday == nil, sort: [.ascending(\.mailAddress)], limit: 50))
/// ```
///
/// The service evaluates queries. An update reads a user, changes it, and replaces it if no other client has changed it
/// since. Otherwise the update starts again.
///
/// Unlike in a local repository, a query for more than 1,000 users reads several pages, each from its own snapshot, and
/// a sequence of updates contains only the current state.
public struct RemoteRepository: Repository {
    private static let maximumPageCount = 1000
    private static let maximumAttemptCount = 100

    private let service: Service

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - url: The URL of the service, without a slash at its end.
    ///   - client: The client that sends the requests.
    public init(_ url: String, client: HTTPClient = .shared) { service = Service(url: url, client: client) }

    /// Returns a user. Sends one request.
    public func find(_ id: UserID) async throws -> User? { try await service.profile(id)?.user }

    /// Returns the page of users that the service selects.
    public func find(_ query: Query<User>) async throws -> Page<User> {
        let (profiles, next) = try await profiles(query)
        return Page(entities: profiles.map(\.user), next: next)
    }

    private func profiles(_ query: Query<User>) async throws -> ([Profile], Query<User>.Cursor?) {
        var parameters: [(String, String)] = []
        if let filter = query.filter { parameters.append(try parameter(filter)) }
        if !query.sort.isEmpty {
            let sorts = try query.sort.map { sort in
                "\(try ConditionTranslator().name(of: sort.field))\(sort.isDescending ? " desc" : "")"
            }
            parameters.append(("sort", sorts.joined(separator: ", ")))
        }
        var (profiles, next) = ([Profile](), query.cursor)
        while true {
            let count = min(query.limit.map { $0 - profiles.count } ?? .max, Self.maximumPageCount)
            guard count > 0 else { return (profiles, profiles.isEmpty ? nil : next) }
            let position = try next.map { try $0.parameters } ?? []
            let page = try await service.page(parameters + [("limit", "\(count)")] + position)
            profiles += page.users
            next = try page.cursor
            guard next != nil else { return (profiles, nil) }
        }
    }

    /// Changes a user. Starts again if another client changes the user at the same time.
    @discardableResult
    public func update<Result: Sendable>(
        _ id: UserID, _ change: @escaping @Sendable (inout User?) throws -> Result
    ) async throws -> Result {
        for attempt in 0..<Self.maximumAttemptCount {
            let profile = try await service.profile(id)
            var user = profile?.user
            let result = try change(&user)
            if let user {
                guard user.id == id else {
                    throw RepositoryError(
                        .programmingError, message: "could not update the user \(id): the change set the id \(user.id)")
                }
                if try await service.put(user, replacing: profile?.etag) { return result }
            } else {
                guard let profile else { return result }
                if try await service.delete([profile]) { return result }
            }
            try await wait(after: attempt)
        }
        throw RepositoryError(
            .unavailable, message: "could not update the user \(id): other clients are changing it; retry later")
    }

    /// Saves a user in one request, without reading it first.
    public func save(_ user: User) async throws { try await service.put(user) }

    /// Deletes a user in one request.
    @discardableResult
    public func delete(_ id: UserID) async throws -> Bool { try await service.delete(id) }

    /// Reads all users, and deletes the users that meet the condition, in one transaction. If one of them has changed
    /// since the read, the service deletes none, and the function starts again.
    @discardableResult
    public func deleteAll(where condition: @escaping @Sendable (User) -> Bool) async throws -> Int {
        for attempt in 0..<Self.maximumAttemptCount {
            let deleted = try await profiles(Query()).0.filter { condition($0.user) }
            if deleted.isEmpty { return 0 }
            if try await service.delete(deleted) { return deleted.count }
            try await wait(after: attempt)
        }
        throw RepositoryError(
            .unavailable, message: "could not delete the users: other clients are changing them; retry later")
    }

    /// Deletes the users that the service selects, in one transaction.
    @discardableResult
    public func deleteAll(where filter: Filter<User>) async throws -> Int {
        try await service.deleteAll([parameter(filter)])
    }

    /// Returns the number of users that the service selects.
    public func count(where filter: Filter<User>?) async throws -> Int {
        try await service.count(filter.map { [try parameter($0)] } ?? [])
    }

    private func parameter(_ filter: Filter<User>) throws -> (String, String) {
        ("where", try filter.translated(by: ConditionTranslator()).text)
    }

    /// Waits for a random time, so that clients that change the same user do not collide again.
    private func wait(after attempt: Int) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...attempt)))
    }
}

extension Query<User>.Cursor {
    /// The cursor as parameters of a request.
    fileprivate var parameters: [(String, String)] {
        get throws {
            let texts = try values.map { value in
                switch value {
                case .text(let text): text
                case nil: ""
                default: throw RepositoryError(.programmingError, message: "the service supports only text values")
                }
            }
            return (texts + [id.text]).map { ("after", $0) }
        }
    }
}
