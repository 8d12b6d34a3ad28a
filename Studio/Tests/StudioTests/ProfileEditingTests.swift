import DataStoreCore
import RawHTTP
import Testing
import UserProfileKit

@testable import Studio

/// Changes of profiles through the server, with the messages of the domain at the fields.
@Suite struct ProfileEditingTests {
    /// The body of a form that changes a field and was rendered from a saved value.
    private func body(_ field: String, _ value: String, from saved: String) -> String {
        var form = Form()
        form[field] = value
        form["saved"] = Form.encode(saved)
        return form.encoded
    }

    @Test("A profile is created, changed and deleted")
    func changes() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            let users = studio.storage.users
            let id = try UserID("a/../b c")
            let created = try await studio.post(
                "/profiles/create", "id=a/../b+c&mail=a@example.com&birthday=", cookie: cookie)
            #expect(created.status == 303)
            let address = try #require(created.field("Location"))
            #expect(try await studio.get(address, cookie: cookie).contains("The profile was created."))
            #expect(try await users.find(id) == User(id: id, mailAddress: MailAddress("a@example.com")))

            let query = address.split(separator: "?")[1]
            _ = try await studio.post("/profile/birthday?\(query)", "birthday=2000-02-29", cookie: cookie)
            _ = try await studio.post(
                "/profile/mail?\(query)", body("mail", "", from: "a@example.com"), cookie: cookie)
            #expect(try await users.find(id) == User(id: id, birthday: Birthday("2000-02-29")))

            #expect(try await studio.post("/profile/delete?\(query)", cookie: cookie).status == 303)
            #expect(try await users.find(id) == nil)
            for action in ["mail", "birthday", "delete"] {
                let late = try await studio.post("/profile/\(action)?\(query)", "mail=b@example.com", cookie: cookie)
                #expect(late.status == 404 && late.contains("does not exist"))
            }
            #expect(try await users.count() == 0)
        }
    }

    @Test("A rejected value stays in its field, with the reason, and changes nothing")
    func errors() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            try await studio.storage.users.save(User(id: .me))
            for (path, body, value, reason) in [
                ("/profiles/create", "id=&mail=", "", "is not a user id"),
                ("/profiles/create", "id=a&mail=vision@@example.com", "vision@@example.com", "is not a mail address"),
                ("/profiles/create", "id=a&birthday=2011-02-29", "2011-02-29", "is not a birthday"),
                ("/profiles/create", "id=a&birthday=2999-01-01", "2999-01-01", "is not a birthday"),
                ("/profiles/create", "id=me&mail=new@example.com", "new@example.com", "choose another id"),
                ("/profile/mail?id=me", "mail=vision@", "vision@", "is not a mail address"),
                ("/profile/birthday?id=me", "birthday=1.8.2011", "1.8.2011", "is not a birthday"),
                ("/profile/birthday?id=me", "birthday=2999-01-01", "2999-01-01", "is not a birthday"),
            ] {
                let page = try await studio.post(path, body, cookie: cookie)
                #expect(page.status == 422, "\(path) \(body)")
                #expect(page.contains(#"value="\#(value)""#) && page.contains(reason), "\(path) \(body)")
                #expect(page.contains(#"aria-invalid="true""#), "\(path) \(body)")
            }
            #expect(try await studio.storage.users.list() == [User(id: .me)])
            let reloaded = try await studio.get("/profiles/create", cookie: cookie)
            #expect(reloaded.status == 303 && reloaded.field("Location") == "/profiles")
        }
    }

    @Test("A profile that is deleted while a change is under way does not come back")
    func deletion() async throws {
        let store = HookedStore(MemoryDataStore())
        try await RunningStudio.run(store: store) { studio in
            let cookie = try await studio.signIn()
            for body in ["mail=b@example.com", "birthday=2000-01-01"] {
                try await studio.storage.users.save(User(id: .me))
                store.precedeNextWrite { try await studio.storage.users.delete(.me) }
                let field = body.prefix { $0 != "=" }
                let late = try await studio.post("/profile/\(field)?id=me", body, cookie: cookie)
                #expect(late.status == 404 && late.contains("does not exist"), "\(field)")
                #expect(try await studio.storage.users.count() == 0, "\(field)")
            }
        }
    }

    @Test(
        "A form that was rendered before another change of its field is rejected, and shows the change",
        arguments: [
            ("mail", "a@example.com", "b@example.com", "c@example.com"),
            ("mail", "a\u{202E}%@example.com", "", "c@example.com"),
            ("birthday", "2000-01-01", "2000-01-02", "2000-01-03"), ("birthday", "", "2000-01-02", ""),
        ])
    func conflict(_ field: String, _ rendered: String, _ first: String, _ second: String) async throws {
        try await RunningStudio.run { studio in
            let users = studio.storage.users
            let isMail = field == "mail"
            func user(_ text: String) throws -> User {
                guard !text.isEmpty else { return User(id: .me) }
                return isMail
                    ? User(id: .me, mailAddress: try MailAddress(text)) : User(id: .me, birthday: try Birthday(text))
            }
            try await users.save(user(rendered))
            let cookie = try await studio.signIn()
            let (page, path) = (try await studio.get("/profile?id=me", cookie: cookie), "/profile/\(field)?id=me")
            #expect(page.contains(#"name="saved" value="\#(Form.encode(rendered))""#))

            let saved = try await studio.post(path, body(field, first, from: rendered), cookie: cookie)
            #expect(saved.status == 303)
            let late = try await studio.post(path, body(field, second, from: rendered), cookie: cookie)
            #expect(late.status == 422)
            #expect(late.contains(first.isEmpty ? "was removed meanwhile" : "was changed to \(first) meanwhile"))
            #expect(late.contains(#"value="\#(second)""#))
            #expect(try await users.find(.me) == user(first))

            // The rejected form shows the change, so the next save replaces it.
            #expect(late.contains(#"name="saved" value="\#(Form.encode(first))""#))
            let again = try await studio.post(path, body(field, second, from: first), cookie: cookie)
            #expect(again.status == 303)
            #expect(try await users.find(.me) == user(second))
            // The value that is already saved is no conflict.
            let same = try await studio.post(path, body(field, second, from: rendered), cookie: cookie)
            #expect(same.status == 303)
        }
    }

    @Test("A change of one field is no conflict with a change of the other")
    func otherField() async throws {
        try await RunningStudio.run { studio in
            try await studio.storage.users.save(User(id: .me))
            let cookie = try await studio.signIn()
            for (path, body) in [("mail", "mail=b@example.com&saved="), ("birthday", "birthday=2000-01-01&saved=")] {
                #expect(try await studio.post("/profile/\(path)?id=me", body, cookie: cookie).status == 303)
            }
            let user = try User(id: .me, mailAddress: MailAddress("b@example.com"), birthday: Birthday("2000-01-01"))
            #expect(try await studio.storage.users.find(.me) == user)
        }
    }
}
