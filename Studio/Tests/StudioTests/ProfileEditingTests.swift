import RawHTTP
import Testing
import UserProfileKit

@testable import Studio

/// Changes of profiles through the server, with the messages of the domain at the fields.
@Suite struct ProfileEditingTests {
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
            _ = try await studio.post("/profile/mail?\(query)", "mail=", cookie: cookie)
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
}
