import Foundation
import Hummingbird
import UserProfileKit

/// The routes of the service.
///
/// ```
/// GET    /users?where=CONDITION&sort=FIELDS&limit=N&after=…   a page of users
/// DELETE /users?where=CONDITION          the users that meet a condition; returns their number
/// GET    /user-count?where=CONDITION     the number of users that meet a condition
/// POST   /deletions                      [{"id": ID, "etag": TAG}, …]; all of them or none
/// GET    /users/ID                       one user, with an ETag
/// PUT    /users/ID                       {"mailAddress": "vision@example.com", "birthday": "2011-08-01"}
/// PUT    /users/ID/mail-address          {"mailAddress": "vision@example.com"}
/// PUT    /users/ID/birthday              {"birthday": "2011-08-01"}
/// DELETE /users/ID
/// ```
///
/// Conditions and sorts are in the language of `Filter(parsing:)` and `Sort.parse`, e.g. `birthday < 2000-01-01 and not
/// mail exists` and `birthday desc, mail`. A page has the position of the next one: repeat `after` for each of its
/// elements, empty for `null`.
///
/// `PUT /users/ID` responds with 412 if `If-Match` is not the user's tag, or if `If-None-Match` is `*` and the user
/// exists. `POST /deletions` responds with 412 if a tag is not the user's. So a client can change the users that it has
/// read without overwriting changes of others.
///
/// The routes depend on use cases and values but not on a kind of store; tests pass a store in memory.
public struct ProfileRoutes: Sendable {
    private let users: any Repository<User>
    private let profiles: UserUseCase
    private let unitOfWork: any UnitOfWork

    /// Creates the routes for the users in a store.
    public init(_ storage: UserProfileStorage) {
        (users, profiles, unitOfWork) = (storage.users, storage.profiles, storage.unitOfWork)
    }

    /// Returns a router with all routes.
    public func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: FailureMiddleware())
        router.get("user-count", use: count)
        router.post("deletions", use: deleteListed)
        router.group("users")
            .get(use: list)
            .delete(use: deleteFound)
            .get(":id", use: show)
            .put(":id", use: replace)
            .put(":id/mail-address", use: setMailAddress)
            .put(":id/birthday", use: setBirthday)
            .delete(":id", use: delete)
        return router
    }

    // MARK: Several users

    @Sendable private func list(_ request: Request, _ context: BasicRequestContext) async throws -> ProfilePage {
        ProfilePage(try await users.find(request.userQuery))
    }

    @Sendable private func count(_ request: Request, _ context: BasicRequestContext) async throws -> UserCount {
        UserCount(count: try await users.count(where: request.userFilter))
    }

    @Sendable private func deleteFound(_ request: Request, _ context: BasicRequestContext) async throws -> UserCount {
        guard let filter = try request.userFilter else {
            throw HTTPError(.badRequest, message: "the parameter where is required")
        }
        return UserCount(count: try await users.deleteAll(where: filter))
    }

    @Sendable private func deleteListed(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        let deletions = try await request.decode(as: [Deletion].self, context: context)
        try await unitOfWork.perform { work in
            let users = try work.repository(of: User.self)
            for deletion in deletions {
                guard try users.find(deletion.id)?.etag == deletion.etag else { throw HTTPError(.preconditionFailed) }
                try users.delete(deletion.id)
            }
        }
        return .noContent
    }

    // MARK: One user

    @Sendable private func show(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let id = try context.userID
        guard let user = try await users.find(id) else {
            throw HTTPError(.notFound, message: "the user \(id) does not exist")
        }
        var response = try Profile(user).response(from: request, context: context)
        response.headers[.eTag] = user.etag
        return response
    }

    @Sendable private func replace(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        let new = try await request.decode(as: NewProfile.self, context: context)
        let user = User(id: try context.savedUserID, mailAddress: new.mailAddress, birthday: new.birthday)
        // UTC+14 is the first time zone in which a day begins.
        if let birthday = user.birthday, let today = Instant.now.date(utcOffset: 14 * 3600), birthday.date > today {
            throw HTTPError(.unprocessableContent, message: "the birthday \(birthday) is in the future")
        }
        let condition = request.precondition
        let existed = try await users.update(user.id) { saved in
            try condition.check(saved)
            defer { saved = user }
            return saved != nil
        }
        return existed ? .noContent : .created
    }

    @Sendable private func setMailAddress(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        let new = try await request.decode(as: NewMailAddress.self, context: context)
        try await profiles.saveMailAddress(new.mailAddress, of: context.savedUserID)
        return .noContent
    }

    @Sendable private func setBirthday(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        let new = try await request.decode(as: NewBirthday.self, context: context)
        try await profiles.saveBirthday(new.birthday, of: context.savedUserID, now: .now)
        return .noContent
    }

    @Sendable private func delete(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        try await users.delete(context.userID) ? .noContent : .notFound
    }
}

/// The required state of a user. In any other state, the request changes nothing.
private struct Precondition: Sendable {
    let etag: String?
    let isNew: Bool

    /// Throws the error response if a user does not have the required state.
    func check(_ user: User?) throws {
        guard etag == nil || etag == user?.etag, !isNew || user == nil else { throw HTTPError(.preconditionFailed) }
    }
}

extension Request {
    /// The precondition of `If-Match` and `If-None-Match`.
    fileprivate var precondition: Precondition {
        Precondition(etag: headers[.ifMatch], isNew: headers[.ifNoneMatch] == "*")
    }
}

extension BasicRequestContext {
    /// The id in the path, which is percent-encoded, of a user to read or delete.
    fileprivate var userID: UserID {
        get throws {
            let text = try parameters.require("id")
            return try UserID(stored: text.removingPercentEncoding ?? text)
        }
    }

    /// The id in the path of a user to save.
    fileprivate var savedUserID: UserID { get throws { try UserID(userID.text) } }
}
