import DataStoreCore
import DataStorePlist
import Foundation
import Testing
import TortureKit

/// Tests of the observation of a file that other processes and people change.
@Suite struct WatchTests {
    private let subject: PlistSubject
    private let key: Key

    init() throws {
        subject = try PlistSubject()
        key = try WatchRun.key()
    }

    @Test("Observers see the last of a thousand saves, and states never go back")
    func thousandSaves() async throws {
        #expect(try await WatchRun(subject).mistakes() == [])
    }

    /// Changes of every kind that another program makes.
    @Test("An observer sees edits of the file")
    func editedFile() async throws {
        try await watching(path: subject.path) { states in
            try save(1)
            #expect(try await states.next() == ["n": .integer(1)])
            // The file is changed in place.
            try subject.edit { try change(&$0, to: 2) }
            #expect(try await states.next() == ["n": .integer(2)])
            // The file is removed, and then restored from a copy.
            let first = subject.directory.appending(path: "first.plist")
            try FileManager.default.copyItem(at: subject.file, to: first)
            try FileManager.default.removeItem(at: subject.file)
            #expect(try await states.next() == .some(nil))
            try FileManager.default.moveItem(at: first, to: subject.file)
            #expect(try await states.next() == ["n": .integer(2)])
        }
    }

    @Test("An observer sees a file in a directory that was removed and created again")
    func recreatedDirectory() async throws {
        let directory = subject.directory.appending(path: "some/where")
        try await watching(path: directory.appending(path: "file.plist").path) { states in
            for number in 1...3 {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                try save(number, to: directory.appending(path: "file.plist"))
                #expect(try await states.next() == ["n": .integer(Int64(number))])
                if number == 2 {
                    let aside = subject.directory.appending(path: "aside")
                    try FileManager.default.moveItem(at: subject.directory.appending(path: "some"), to: aside)
                } else {
                    try FileManager.default.removeItem(at: subject.directory.appending(path: "some"))
                }
                #expect(try await states.next() == .some(nil))
            }
        }
    }

    @Test("An observer follows a symbolic link to a new target")
    func changedLink() async throws {
        let (here, there) = (subject.directory.appending(path: "here"), subject.directory.appending(path: "there"))
        for (directory, number) in [(here, 1), (there, 2)] {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try save(number, to: directory.appending(path: "file.plist"))
        }
        func link(to directory: URL, at name: String) throws {
            try FileManager.default.createSymbolicLink(
                at: subject.directory.appending(path: name),
                withDestinationURL: directory.appending(path: "file.plist"))
        }
        try link(to: here, at: "profile.plist")
        let store = try PlistDataStore(path: subject.path)
        try await guarding(store) {
            var states = store.updates(of: key).makeAsyncIterator()
            #expect(try await states.next() == ["n": .integer(1)])
            try save(3, to: here.appending(path: "file.plist"))
            #expect(try await states.next() == ["n": .integer(3)])
            try link(to: there, at: "other.plist")
            // The call uses both paths only until it returns.
            let code = unsafe rename(subject.directory.appending(path: "other.plist").path, subject.path)
            #expect(code == 0)
            #expect(try await states.next() == ["n": .integer(2)])
            try save(4, to: there.appending(path: "file.plist"))
            #expect(try await states.next() == ["n": .integer(4)])
        }
    }

    /// The next call waits until the file is repaired.
    @Test("A damaged file is one error, and its repair is the next state")
    func repairedFile() async throws {
        try await watching(path: subject.path) { states in
            try save(1)
            #expect(try await states.next() == ["n": .integer(1)])
            let good = try Data(contentsOf: subject.file)
            for bytes in [good.prefix(good.count / 2), Data("no property list".utf8)] {
                try bytes.write(to: subject.file, options: .atomic)
                await #expect(throws: DataStoreError.self) { try await states.next() }
                try good.write(to: subject.file, options: .atomic)
                #expect(try await states.next() == ["n": .integer(1)], "also if the record is unchanged")
            }
        }
    }

    /// The store compares the file with the previous contents, so a save of another process notifies only the observers
    /// of the changed records.
    @Test("A save of another process wakes only the observers of the changed records")
    func selectiveWakeups() async throws {
        let store = try PlistDataStore(path: subject.path)
        try await store.write { try $0.put([:], for: Key(collection: "watched", id: "other")) }
        try await guarding(store) {
            var states = store.updates(of: key).makeAsyncIterator()
            _ = try await states.next()
            let calls = CallCount()
            let observations = [
                try await store.observe(.key(Key(collection: "watched", id: "other"))) { _ in calls.add() },
                try await store.observe(.collection("others")) { _ in calls.add() },
            ]
            #expect(try await TortureProgram.run(subject.storeArguments + ["saves", subject.path, "20"]).isDone)
            while let state = try await states.next(), state != ["n": .integer(20)] {}
            #expect(calls.count == 0)
            withExtendedLifetime(observations) {}
        }
    }

    @Test("An observer may read the store while it is notified of another program's save")
    func readingObserver() async throws {
        let store = try PlistDataStore(path: subject.path)
        let calls = CallCount()
        let observation = try await store.observe(.key(key)) { [key] _ in
            if (try? store.read { try $0.record(for: key) }) == ["n": .integer(1)] { calls.add() }
        }
        try save(1)
        // This read or the watching thread detects the save and notifies the observer.
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)])
        for _ in 0..<1000 where calls.count == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(calls.count > 0)
        withExtendedLifetime(observation) {}
        await store.close()
    }

    #if os(Linux)
    @Test("Without observers, no descriptor stays open")
    func releasedResources() async throws { #expect(try await WatchCosts(subject).findings == []) }
    #endif

    // MARK: Support

    /// Saves a number through a separate store, so that the observed store learns of it only from the file.
    private func save(_ number: Int, to file: URL? = nil) throws {
        let records = ["watched": ["n": ["n": number]]]
        let root: [String: Any] = ["UserProfile": ["$format": 2].merging(records as [String: Any]) { $1 }]
        try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
            .write(to: file ?? subject.file, options: .atomic)
    }

    private func change(_ root: inout [String: Any], to number: Int) throws {
        var ownEntry = try #require(root["UserProfile"] as? [String: Any])
        ownEntry["watched"] = ["n": ["n": number]]
        root["UserProfile"] = ownEntry
    }

    private func watching(
        path: String, _ body: (inout RecordUpdates<Record?>.AsyncIterator) async throws -> Void
    ) async throws {
        let store = try PlistDataStore(path: path)
        try await guarding(store) {
            var states = store.updates(of: key).makeAsyncIterator()
            #expect(try await states.next() == .some(nil))
            try await body(&states)
        }
    }

    /// Closes the store after a time limit, so that an observer that would wait forever ends and its expectation fails.
    private func guarding(_ store: any DataStore, _ body: () async throws -> Void) async throws {
        let watchdog = Task {
            try await Task.sleep(for: .seconds(900))
            await store.close()
        }
        try await body()
        watchdog.cancel()
        await store.close()
    }
}
