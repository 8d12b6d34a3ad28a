import Foundation
import Testing

@testable import ProfileCommands

/// Tests of the shell completion of stores, conditions and cities, in this process.
@Suite struct CompletionTests {
    @Test("A store is completed to a scheme, then to a path")
    func stores() throws {
        #expect(StoreCompletion.locations("") == ["lmdb:", "plist:", "memory:"])
        #expect(StoreCompletion.locations("memory:x").isEmpty)
        let directory = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        for name in ["profiles", "people", "other", ".hidden"] {
            try FileManager.default.createDirectory(
                at: directory.appending(path: name), withIntermediateDirectories: true)
        }
        let path = directory.path
        #expect(StoreCompletion.locations("lmdb:\(path)/p") == ["lmdb:\(path)/people", "lmdb:\(path)/profiles"])
        #expect(StoreCompletion.locations("plist:\(path)/.h") == ["plist:\(path)/.hidden"])
        #expect(StoreCompletion.locations("plist:\(path)/").count == 3)
        #expect(StoreCompletion.locations("plist:\(path)/nothing/x").isEmpty)
    }

    @Test("The last word of a condition is completed")
    func conditions() {
        let words = ["birthday", "between", "mail", "and"]
        #expect(QueryCompletion.completed("", by: words) == words)
        #expect(QueryCompletion.completed("b", by: words) == ["birthday", "between"])
        #expect(QueryCompletion.completed("(mail exists) a", by: words) == ["(mail exists) and"])
        #expect(QueryCompletion.completed("(m", by: words) == ["(mail"])
        #expect(QueryCompletion.completed("x", by: words).isEmpty)
    }

    @Test("A city is completed by its code or name")
    func cities() {
        #expect(CityCompletion.cities("13001") == ["130010"])
        #expect(CityCompletion.cities("東") == ["東京"])
        #expect(CityCompletion.cities("x").isEmpty)
    }
}
