import ArgumentParser
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@testable import ProfileCommands

/// Tests of the shell completion of stores, conditions and cities, in this process.
@Suite struct CompletionTests {
    @Test("A store is completed to a scheme, then to a path")
    func stores() throws {
        #expect(CompletionKind.stores("") == ["lmdb:", "plist:", "memory:"])
        #expect(CompletionKind.stores("memory:x").isEmpty)
        let directory = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        for name in ["profiles", "people", "other", ".hidden"] {
            try FileManager.default.createDirectory(
                at: directory.appending(path: name), withIntermediateDirectories: true)
        }
        let path = directory.path
        #expect(CompletionKind.stores("lmdb:\(path)/p") == ["lmdb:\(path)/people", "lmdb:\(path)/profiles"])
        #expect(CompletionKind.stores("plist:\(path)/.h") == ["plist:\(path)/.hidden"])
        #expect(CompletionKind.stores("plist:\(path)/").count == 3)
        #expect(CompletionKind.stores("plist:\(path)/nothing/x").isEmpty)
    }

    @Test("The last word of a condition is completed")
    func conditions() {
        let words = ["birthday", "between", "mail", "and"]
        #expect(CompletionKind.completed("", by: words) == words)
        #expect(CompletionKind.completed("b", by: words) == ["birthday", "between"])
        #expect(CompletionKind.completed("(mail exists) a", by: words) == ["(mail exists) and"])
        #expect(CompletionKind.completed("(m", by: words) == ["(mail"])
        #expect(CompletionKind.completed("x", by: words).isEmpty)
    }

    @Test("A city is completed by its code or name")
    func cities() {
        #expect(CompletionKind.cities("13001") == ["130010"])
        #expect(CompletionKind.cities("東") == ["東京"])
        #expect(CompletionKind.cities("x").isEmpty)
    }

    @Test(
        "A user is completed from the store of the last option",
        arguments: [["--store", "STORE"], ["-s", "STORE"], ["--store=STORE"], ["-s", "memory:", "-s", "STORE"]])
    func users(_ options: [String]) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID()).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        try await UserProfileStorage.open(.plist(file.path)).closing { storage in
            for id in ["anna", "bob"] { try await storage.users.save(User(id: UserID(id))) }
        }
        let words = options.map { $0.replacing("STORE", with: "plist:\(file.path)") }
        #expect(await CompletionKind.users(["profile-cli", "show"] + words + ["--user", "a"], "a") == ["anna"])
    }

    @Test(
        "A line is divided into words, and options move behind the command",
        arguments: [
            (["profile-cli sh", "sh"], ["profile-cli", "sh", "="]),
            (["profile-cli --store 'a b' sh", "sh"], ["profile-cli", "sh", "="]),
            (["profile-cli -s x --st", "--st"], ["profile-cli", "show", "-s", "x", "--st", "="]),
            (["profile-cli -e dev", "dev"], ["profile-cli", "show", "-e", "dev", "="]),
            (["profile-cli -s x list --where ", ""], ["profile-cli", "list", "-s", "x", "--where", "", "="]),
            (["profile-cli store --json ch", "ch"], ["profile-cli", "store", "ch", "="]),
            (["profile-cli show --user=a", "a"], ["profile-cli", "show", "--user", "a", "="]),
            (["profile-cli list -s lmdb:a\\ b/c", "a\\ b/c"], ["profile-cli", "list", "-s", "lmdb:a b/c", "=lmdb:"]),
            (["profile-cli list -s \"lmdb:a\\\"b", "lmdb:a\\\"b"], ["profile-cli", "list", "-s", "lmdb:a\"b", "="]),
            (["profile-cli lst --st", "--st"], ["profile-cli", "lst", "--st", "="]),
            ([" profile-cli show \\\n    --user a", "a"], ["profile-cli", "show", "--user", "a", "="]),
            (["profile-cli show --format=js", "--format=js"], []),
        ])
    func words(_ arguments: [String], _ words: [String]) {
        #expect(CommandPath.completedWords(of: arguments) == words)
    }
}
