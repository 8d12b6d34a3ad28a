import Hummingbird
import UserProfileKit

/// The pages of profiles, and their changes.
struct ProfilesRoutes: Sendable {
    let storage: UserProfileStorage
    let templates: Templates
    let frame: Frame
    let clock: Clock
    let counts: RecordCounts

    func add(to router: Router<StudioContext>) {
        router.get("/profiles") { request, _ in try await list(Form(query: request)) }
        router.get("/profiles/events") { request, _ in try await listEvents(Form(query: request)) }
        router.get("/profile") { request, _ in try await show(Form(query: request)) }
        router.get("/profile/events") { request, _ in try await events(ProfileAddress(Form(query: request))) }
        // A browser requests this address if the user reloads the page of a rejected profile.
        router.get("/profiles/create") { _, _ in Response.seeOther(ProfilesAddress.path) }
        router.addChange("/profiles/create", frame, templates) { request in try await create(Form(body: request)) }
        router.addChange("/profile/mail", frame, templates) { request in
            try await change(request, "mail") { editor, id in
                try await editor.saveMailAddress(in: storage, of: id)
            }
        }
        router.addChange("/profile/birthday", frame, templates) { request in
            try await change(request, "birthday") { editor, id in
                try await editor.saveBirthday(in: storage, of: id, now: clock.now())
            }
        }
        router.addChange("/profile/delete", frame, templates) { request in
            try await delete(ProfileAddress(Form(query: request)))
        }
    }

    // MARK: Reading

    private func list(
        _ form: Form, editor: ProfileEditor? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let editor = frame.isWritable ? editor ?? ProfileEditor() : nil
        let page = try await ProfilesPage(
            ProfilesAddress(form), in: storage.users, counts: counts, frame: frame, today: try clock.today(),
            editor: editor, notice: Notice(form)?.text)
        return .html(templates.render(page), status: status)
    }

    private func listEvents(_ form: Form) async throws -> Response {
        let address = ProfilesAddress(form)
        let rows = try await LiveQuery(address.query(), in: storage.users)
        let total = await LiveValue(nil, counts.updates(of: .init(address)))
        return EventStream.response {
            _ = total.value
            return rows.isReady
        }
    }

    private func show(_ form: Form) async throws -> Response {
        let address = try ProfileAddress(form)
        let user = try await storage.users.find(address.id)
        return try page(address, user, notice: Notice(form)?.text, status: user == nil ? .notFound : .ok)
    }

    private func events(_ address: ProfileAddress) async throws -> Response {
        let user = await LiveEntity(address.id, in: storage.users)
        return EventStream.response { user.isReady }
    }

    private func page(
        _ address: ProfileAddress, _ user: User?, editor: ProfileEditor? = nil, notice: String? = nil,
        status: HTTPResponse.Status
    ) throws -> Response {
        let page = ProfilePage(
            address, user, frame: frame, today: try clock.today(), editor: editor, notice: notice)
        return .html(templates.render(page), status: status)
    }

    // MARK: Changing

    private func create(_ form: Form) async throws -> Response {
        var editor = ProfileEditor()
        editor.fill(form)
        guard let user = try await editor.create(in: storage, now: clock.now()) else {
            return try await list(Form(), editor: editor, status: .unprocessableContent)
        }
        return .seeOther(ProfileAddress(user.id).address(notice: "created"))
    }

    private func change(
        _ request: Request, _ field: String,
        _ save: @Sendable (inout ProfileEditor, UserID) async throws -> Bool
    ) async throws -> Response {
        let address = try ProfileAddress(Form(query: request))
        let form = try await Form(body: request)
        guard let user = try await storage.users.find(address.id) else {
            return try page(address, nil, status: .notFound)
        }
        var editor = ProfileEditor(user)
        editor.fill(form, field)
        guard try await save(&editor, address.id) else {
            // The profile may have been changed or deleted since it was read.
            let user = try await storage.users.find(address.id)
            return try page(address, user, editor: editor, status: user == nil ? .notFound : .unprocessableContent)
        }
        return .seeOther(address.address(notice: field))
    }

    private func delete(_ address: ProfileAddress) async throws -> Response {
        guard try await storage.users.delete(address.id) else { return try page(address, nil, status: .notFound) }
        return .seeOther("/profiles?done=deleted")
    }
}

/// The change that a request has made. The address of the redirection contains it.
private enum Notice: String {
    case created, mail, birthday, deleted

    init?(_ form: Form) { self.init(rawValue: form["done"] ?? "") }

    var text: String {
        switch self {
        case .created: "The profile was created."
        case .mail: "The mail address was saved."
        case .birthday: "The birthday was saved."
        case .deleted: "The profile was deleted."
        }
    }
}
