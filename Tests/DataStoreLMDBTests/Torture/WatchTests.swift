import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Testing
import TortureKit

/// Tests of the observation of a store that other processes change.
@Suite struct WatchTests {
    private let subject: LMDBSubject

    init() throws { subject = try LMDBSubject() }

    /// Neither the directory nor the store exists when observation starts.
    @Test("Observers see the last of a thousand saves, and states never go back")
    func thousandSaves() async throws {
        #expect(try await WatchRun(subject).mistakes() == [])
    }

    @Test("An observer sees a store in a directory that is created later")
    func laterDirectory() async throws {
        let path = subject.directory.appending(path: "not/yet/there").path
        let store = try LMDBDataStore(path: path)
        try await guarding(store) {
            var states = store.updates(of: try WatchRun.key()).makeAsyncIterator()
            #expect(try await states.next() == .some(nil))
            #expect(!FileManager.default.fileExists(atPath: subject.directory.appending(path: "not").path))
            #expect(try await TortureProgram.run(["saves", path, "1"]).isDone)
            #expect(try await states.next() == ["n": .integer(1)])
        }
    }

    /// A commit also notifies other stores of this process, even if they were opened by another path.
    @Test("Observers of all stores of a file are notified")
    func storesOfAFile() async throws {
        let link = subject.directory.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: subject.path)
        let key = try WatchRun.key()
        let (store, other) = (try LMDBDataStore(path: subject.path), try LMDBDataStore(path: link))
        try await guarding(other) {
            try await store.write { try $0.put(["n": .integer(1)], for: key) }
            var states = other.updates(of: key).makeAsyncIterator()
            #expect(try await states.next() == ["n": .integer(1)])
            try await store.write { try $0.put(["n": .integer(2)], for: key) }
            #expect(try await states.next() == ["n": .integer(2)])
            await store.close()
            try await other.write { try $0.put(["n": .integer(3)], for: key) }
            #expect(try await states.next() == ["n": .integer(3)])
        }
    }

    /// Without the error an observer would wait forever, because no process commits to the open files.
    @Test("A store that is removed is an error for observers")
    func removedStore() async throws {
        let key = try WatchRun.key()
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { try $0.put(["n": .integer(1)], for: key) }
        try await guarding(store) {
            var states = store.updates(of: key).makeAsyncIterator()
            #expect(try await states.next() == ["n": .integer(1)])
            let aside = subject.directory.appending(path: "aside").path
            try FileManager.default.moveItem(atPath: subject.path, toPath: aside)
            let error = await #expect(throws: DataStoreError.self) { try await states.next() }
            #expect(error?.path == subject.path)
            // A new store at the path is not delivered; observation continues when the original store is back.
            #expect(try await TortureProgram.run(["saves", subject.path, "7"]).isDone)
            try FileManager.default.removeItem(atPath: subject.path)
            try FileManager.default.moveItem(atPath: aside, toPath: subject.path)
            #expect(try await states.next() == ["n": .integer(1)])
            try await store.write { try $0.put(["n": .integer(2)], for: key) }
            #expect(try await states.next() == ["n": .integer(2)])
        }
    }

    @Test("A damaged record is one error for an observer")
    func damagedState() async throws {
        let key = try WatchRun.key()
        var store = try await subject.open()
        try await store.write { try $0.put(["n": .string("long enough to be damaged")], for: key) }
        await store.close()
        try await subject.damage(key)
        store = try await subject.open()
        try await guarding(store) { [store] in
            var states = store.updates(of: key).makeAsyncIterator()
            let error = await #expect(throws: DataStoreError.self) { try await states.next() }
            #expect(error?.code == .corrupted && error?.key == "watched/n")
            // The next call waits, because saves of other records do not repair the damaged one.
            let (errors, hasThrown) = AsyncStream.makeStream(of: Void.self)
            let task = Task { [store] in
                var states = store.updates(of: key).makeAsyncIterator()
                await #expect(throws: DataStoreError.self) { try await states.next() }
                hasThrown.finish()
                return try await states.next() == .none
            }
            for await _ in errors {}
            for number in 0..<20 {
                try await store.write { try $0.put([:], for: Key(collection: "watched", id: "\(number)")) }
            }
            await store.close()
            #expect(try await task.value)
        }
    }

    #if os(Linux)
    @Test("Without observers, no descriptor stays open")
    func releasedResources() async throws {
        #expect(try await WatchCosts(subject).findings == [])
    }
    #endif

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
