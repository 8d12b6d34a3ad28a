import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@Suite struct StorageLocationTests {
    @Test(
        "A location and its text convert into each other",
        arguments: [
            ("lmdb:/a/b", StorageLocation.lmdb("/a/b")), ("plist:a b:c.plist", .plist("a b:c.plist")),
            ("plist:\"a\" b", .plist("\"a\" b")), ("plist:\"", .plist("\"")),
            ("memory:", .memory),
            ("lmdb://a/b", .lmdb("//a/b")),
        ])
    func roundTrip(_ text: String, _ location: StorageLocation) throws {
        #expect(try StorageLocation(text) == location)
        #expect(location.description == text)
    }

    @Test("A tilde stands for the home directory")
    func tilde() throws {
        #expect(try StorageLocation("lmdb:~/x") == .lmdb("\(NSHomeDirectory())/x"))
    }

    @Test(
        "An invalid text is rejected with the reason",
        arguments: [
            ("", "lmdb:, plist:, memory:"), ("/a/b", "lmdb:"), ("sqlite:/a", "\"sqlite\""), ("LMDB:/a", "\"LMDB\""),
            ("lmdb:", "a path must follow"), ("plist:", "a path must follow"), ("memory:x", "nothing may follow"),
            ("lmdb:a\0b", "control characters"), ("plist:a\r", "control characters"), ("lmdb:\u{9B}a", "control"),
            ("\"lmdb:a\"", "remove the quotes"), ("lmdb:'a b'", "remove the quotes"),
        ])
    func invalidText(_ text: String, _ words: String) {
        #expect {
            try StorageLocation(text)
        } throws: { ($0 as? ValidationError)?.rule.contains(words) ?? false }
    }

    @Test(
        "An error about a location shows no password",
        arguments: [
            "postgres://user:secret@host/db", "postgres://user:s/ecret@host/db?sslmode=require",
            "postgres://user:?secret@host/db", "postgres://host/db?p%61ssword=secret",
        ])
    func password(_ text: String) {
        let error = #expect(throws: ValidationError.self) { try StorageLocation(text) }
        #expect(error?.description.contains("ecret") == false)
    }

    @Test("A suite is a property list with its name")
    func suite() throws {
        let location = try StorageLocation.suite("com.example.app")
        #expect(location == .plist(location.address))
        #expect(location.address.hasPrefix("/") && location.address.hasSuffix("/com.example.app.plist"))
        #expect {
            _ = try StorageLocation.suite("../app")
        } throws: { ($0 as? ValidationError)?.rule.contains("slash") ?? false }
    }
}
