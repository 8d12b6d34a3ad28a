import Hummingbird
import UserProfileKit

/// The routes of the service.
///
/// ```
/// GET    /users?after=ID&limit=N         the profiles in the order of their ids
/// GET    /users/ID                       one of them
/// PUT    /users/ID/mail-address          {"mailAddress": "vision@example.com"}
/// PUT    /users/ID/birthday              {"birthday": "2011-08-01"}
/// DELETE /users/ID
/// ```
///
/// It depends on use cases and values but not on a kind of store; tests pass a store in memory.
public struct ProfileRoutes: Sendable {
    private let users: any Repository<User>
    private let profiles: UserUseCase

    /// Creates the routes for the users of a storage.
    public init(_ storage: UserProfileStorage) { (users, profiles) = (storage.users, storage.profiles) }

    /// Returns a router with all routes.
    public func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: FailureMiddleware())
        router.group("users")
            .get(use: list)
            .get(":id", use: show)
            .put(":id/mail-address", use: setMailAddress)
            .put(":id/birthday", use: setBirthday)
            .delete(":id", use: delete)
        return router
    }

    @Sendable private func list(_ request: Request, _ context: BasicRequestContext) async throws -> [Profile] {
        let after = try request.uri.queryParameters.get("after").map { id in try UserID(id) }
        let limit = try request.uri.queryParameters.get("limit").map { text in
            guard let limit = Int(text), (1...1000).contains(limit) else {
                throw HTTPError(.badRequest, message: "limit is a number from 1 to 1000")
            }
            return limit
        }
        return try await users.list(after: after, limit: limit ?? 100).map(Profile.init)
    }

    @Sendable private func show(_ request: Request, _ context: BasicRequestContext) async throws -> Profile {
        let id = try context.userID
        guard let user = try await users.find(id) else {
            throw HTTPError(.notFound, message: "there is no user \(id)")
        }
        return Profile(user)
    }

    @Sendable private func setMailAddress(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        let new = try await request.decode(as: NewMailAddress.self, context: context)
        try await profiles.saveMailAddress(new.mailAddress, of: context.userID)
        return .noContent
    }

    @Sendable private func setBirthday(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        let new = try await request.decode(as: NewBirthday.self, context: context)
        try await profiles.saveBirthday(new.birthday, of: context.userID, now: .now)
        return .noContent
    }

    @Sendable private func delete(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        try await users.delete(context.userID) ? .noContent : .notFound
    }
}

extension BasicRequestContext {
    /// The id of the user in the path.
    fileprivate var userID: UserID {
        get throws { try UserID(parameters.require("id")) }
    }
}
