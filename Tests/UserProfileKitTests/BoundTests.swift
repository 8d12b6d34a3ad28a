import DataStoreTesting
import Foundation
import Synchronization
import Testing
import UserProfileKit

/// Tests of the model of a field that edits a property of an entity.
@Suite(.timeLimit(.minutes(5))) @MainActor struct BoundTests {
    private let storage: UserProfileStorage
    private let mail: Bound<String>

    init() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        self.storage = storage
        mail = Bound(.me, in: storage.users) {
            $0?.mailAddress?.text ?? ""
        } save: { text in
            try await storage.profiles.saveMailAddress(text.isEmpty ? nil : MailAddress(text))
        }
    }

    @Test("Input is saved, and a change of another program appears")
    func saving() async throws {
        mail.value = "a@example.com"
        #expect(mail.value == "a@example.com")
        try await storedMail("a@example.com")
        try await storage.profiles.saveMailAddress(MailAddress("b@example.com"))
        try await until { mail.value == "b@example.com" && mail.phase.isCurrent }
        #expect(mail.error == nil)
    }

    @Test("A rejected input stays in the field with its error")
    func rejection() async throws {
        try await storage.profiles.saveMailAddress(MailAddress("a@example.com"))
        try await until { mail.value == "a@example.com" }
        mail.value = "a@"
        try await until { mail.error is ValidationError }
        try await storage.profiles.saveMailAddress(MailAddress("b@example.com"))
        try await Task.sleep(for: .milliseconds(20))
        #expect(mail.value == "a@")
        #expect(try await storage.profiles.mailAddress()?.text == "b@example.com")
        mail.value = "a@example.org"
        try await until { mail.error == nil }
        try await storedMail("a@example.org")
        mail.value = "wrong"
        try await until { mail.error != nil }
        mail.revert()
        #expect(mail.value == "a@example.org" && mail.error == nil)
    }

    @Test("While the user edits, a change of another program waits")
    func editing() async throws {
        try await until { mail.phase.isCurrent }
        mail.isEditing = true
        mail.value = "a@example.com"
        try await storedMail("a@example.com")
        try await storage.profiles.saveMailAddress(MailAddress("b@example.com"))
        try await Task.sleep(for: .milliseconds(20))
        #expect(mail.value == "a@example.com")
        mail.isEditing = false
        try await until { mail.value == "b@example.com" }
    }

    @Test("The last of many inputs is saved, even if the model is released")
    func release() async throws {
        let saves = Mutex<[String]>([])
        var model: Bound<String>? = Bound(.me, in: storage.users) {
            $0?.mailAddress?.text ?? ""
        } save: {
            [storage] text in
            saves.withLock { $0.append(text) }
            try await storage.profiles.saveMailAddress(MailAddress(text))
        }
        for number in 0..<100 { model?.value = "\(number)@example.com" }
        weak let released = model
        model = nil
        try await storedMail("99@example.com")
        try await until { released == nil }
        #expect(saves.withLock { $0.count < 10 && $0.last == "99@example.com" })
    }

    @Test("The field never shows an older value after a save")
    func order() async throws {
        try await until { mail.phase.isCurrent }
        var shown: [String] = []
        for number in 0..<200 {
            let text = "\(number)@example.com"
            mail.value = text
            try await storedMail(text)
            for _ in 0..<5 {
                shown.append(mail.value)
                await Task.yield()
            }
            #expect(shown.allSatisfy { $0 == text }, "\(shown)")
            shown = []
        }
    }

    @Test("A setting is bound")
    func setting() async throws {
        let name = Field("name", default: "")
        let settings = try storage.settings()
        let model = Bound("", settings.updates(of: name)) { try await settings.set($0, for: name) }
        model.value = "Vision"
        try await until { model.phase.isCurrent }
        try await until { try await settings[name] == "Vision" }
        try await settings.set("Wanda", for: name)
        try await until { model.value == "Wanda" }
    }

    private func storedMail(_ text: String) async throws {
        try await until { try await storage.profiles.mailAddress()?.text == text }
    }
}
