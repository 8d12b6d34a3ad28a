import CDataStoreSystem
import DataStoreCore
import DataStorePlist
import Foundation
import Testing

/// Tests of links and files that another user has placed where a property list is expected.
@Suite struct PlantedLinksTests {
    private let subject: PlistSubject
    private let key: Key

    init() throws {
        subject = try PlistSubject()
        key = try Key(collection: "c", id: "a")
    }

    @Test(
        "A link of another user is not followed",
        .enabled(if: getuid() == 0, "only root can change the owner of a link"))
    func linkOfAnotherUser() async throws {
        let target = subject.directory.appending(path: "target.plist")
        try FileManager.default.createSymbolicLink(at: subject.file, withDestinationURL: target)
        #expect(unsafe lchown(subject.path, 65_534, 65_534) == 0)
        let error = #expect(throws: DataStoreError.self) { try PlistDataStore(path: subject.path) }
        #expect(error?.code == .notAStore)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test("A link instead of the lock file is not followed")
    func lockFileIsLink() async throws {
        let other = subject.directory.appending(path: "other")
        try FileManager.default.createSymbolicLink(atPath: "\(subject.path).lock", withDestinationPath: other.path)
        let store = try PlistDataStore(path: subject.path)
        let error = await #expect(throws: DataStoreError.self) {
            try await store.write { [key] in try $0.put([:], for: key) }
        }
        #expect(error?.code == .notAStore)
        #expect(!FileManager.default.fileExists(atPath: other.path))
        await store.close()
    }

    @Test("A large file that is not a property list is rejected by its first bytes", .timeLimit(.minutes(10)))
    func largeForeignFile() throws {
        #expect(FileManager.default.createFile(atPath: subject.path, contents: Data("no property list".utf8)))
        // The file is sparse: only its first bytes occupy disk space.
        #expect(unsafe truncate(subject.path, 1 << 40) == 0)
        let error = #expect(throws: DataStoreError.self) { try PlistDataStore(path: subject.path) }
        #expect(error?.code == .notAStore)
        #expect(throws: DataStoreError.self) { try PlistDataStore.entries(["a"], ofFileAt: subject.path) }
    }

    @Test("A property list beyond the largest size is rejected unread", .timeLimit(.minutes(10)))
    func largePropertyList() throws {
        let beginning = #"<?xml version="1.0"?><plist version="1.0"><dict>"#
        #expect(FileManager.default.createFile(atPath: subject.path, contents: Data(beginning.utf8)))
        for size in [6 << 30, 1 << 40] {
            #expect(unsafe truncate(subject.path, off_t(size)) == 0)
            let error = #expect(throws: DataStoreError.self) { try PlistDataStore(path: subject.path) }
            #expect(error?.code == .full)
        }
    }

    @Test("A process that stops while it holds the lock makes others fail with busy")
    func boundedWait() async throws {
        let store = try PlistDataStore(path: subject.path, lockTimeout: .milliseconds(300))
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let lock = unsafe open("\(subject.path).lock", O_RDWR)
        defer { close(lock) }
        #expect(up_lock(lock, 0, 1) == 0)
        let error = await #expect(throws: DataStoreError.self) {
            try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        }
        #expect(error?.code == .busy)
        #expect(up_unlock(lock, 0) == 0)
        try await store.write { [key] in try $0.put([:], for: Key(collection: key.collection, id: "b")) }
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)])
        await store.close()
    }

    @Test("A save that waits while the link gets another target reads and writes one file")
    func linkTurnsDuringWait() async throws {
        let (first, second) = (
            subject.directory.appending(path: "a.plist"), subject.directory.appending(path: "b.plist")
        )
        for (file, number) in [(first, 1), (second, 2)] as [(URL, Int64)] {
            let store = try PlistDataStore(path: file.path)
            try await store.write { try $0.put([:], for: Key(collection: "c", id: "of \(number)")) }
            await store.close()
        }
        try FileManager.default.createSymbolicLink(at: subject.file, withDestinationURL: first)
        let store = try PlistDataStore(path: subject.path)
        let lock = unsafe open("\(first.path).lock", O_RDWR)
        defer { close(lock) }
        #expect(up_lock(lock, 0, 1) == 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [key] in try await store.write { try $0.put([:], for: key) } }
            try await Task.sleep(for: .milliseconds(200))
            try FileManager.default.removeItem(at: subject.file)
            try FileManager.default.createSymbolicLink(at: subject.file, withDestinationURL: second)
            #expect(up_unlock(lock, 0) == 0)
            try await group.waitForAll()
        }
        await store.close()
        func ids(_ file: URL) throws -> [String] {
            try PlistDataStore(path: file.path).read { try $0.records(in: Scan("c")).map(\.key.id) }
        }
        #expect(try ids(first) == ["of 1"])
        #expect(try ids(second) == ["a", "of 2"])
    }

    @Test(
        "Owner, group and permissions of the file are kept",
        .enabled(if: getuid() == 0, "only root can change the owner of a file"))
    func groupIsKept() async throws {
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        #expect(unsafe chown(subject.path, 1234, 2345) == 0)
        #expect(unsafe chmod(subject.path, 0o660) == 0)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let attributes = try FileManager.default.attributesOfItem(atPath: subject.path)
        #expect(attributes[.ownerAccountID] as? Int == 1234 && attributes[.groupOwnerAccountID] as? Int == 2345)
        #expect(attributes[.posixPermissions] as? Int == 0o660)
        await store.close()
    }
}
