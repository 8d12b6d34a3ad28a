import DataStoreCore
import DataStoreLMDB
import Foundation
import Testing
import TortureKit

/// Tests of files, links and directories that another user or program has placed where a store expects its own files.
@Suite struct PlantedFilesTests {
    private let subject: LMDBSubject
    private let key: Key
    private let files = FileManager.default

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "a")
        try files.createDirectory(atPath: subject.path, withIntermediateDirectories: false)
    }

    private func url(_ name: String) -> URL { subject.directory.appending(path: name) }

    private func open(_ path: String? = nil) throws -> LMDBDataStore { try LMDBDataStore(path: path ?? subject.path) }

    private func expectRejected(_ path: String? = nil) async {
        let store = try? open(path)
        let error = await #expect(throws: DataStoreError.self) {
            let store = try store ?? open(path)
            try await store.write { [key] in try $0.put([:], for: key) }
        }
        #expect(error?.code == .notAStore, "\(String(describing: error))")
        await store?.close()
    }

    // MARK: Links and other files in place of the store's own

    @Test("The target of a link at lock.mdb is not overwritten")
    func lockFileIsLink() async throws {
        let other = url("other")
        try Data("precious".utf8).write(to: other)
        try files.createSymbolicLink(atPath: "\(subject.path)/lock.mdb", withDestinationPath: other.path)
        await expectRejected()
        #expect(try Data(contentsOf: other) == Data("precious".utf8))
    }

    @Test("A foreign file, or a hard link to one, at lock.mdb is not overwritten", arguments: [true, false])
    func lockFileIsForeign(isHardLink: Bool) async throws {
        let other = url("other")
        try Data(repeating: 7, count: 100_000).write(to: other)
        let lock = URL(filePath: "\(subject.path)/lock.mdb")
        if isHardLink { try files.linkItem(at: other, to: lock) } else { try files.copyItem(at: other, to: lock) }
        await expectRejected()
        #expect(try Data(contentsOf: lock) == Data(repeating: 7, count: 100_000))
    }

    @Test("Nothing is written through a link at data.mdb to an empty or missing file", arguments: [true, false])
    func dataFileIsLink(isEmpty: Bool) async throws {
        let other = url("other")
        if isEmpty { try Data().write(to: other) }
        try files.createSymbolicLink(atPath: "\(subject.path)/data.mdb", withDestinationPath: other.path)
        await expectRejected()
        #expect(files.fileExists(atPath: other.path) == isEmpty)
        if isEmpty { #expect(try Data(contentsOf: other).isEmpty) }
    }

    @Test("A directory that every user may write to is rejected")
    func directoryOfEveryone() async throws {
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: subject.path)
        await expectRejected()
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: subject.path)
        let store = try open()
        try await store.write { [key] in try $0.put([:], for: key) }
        await store.close()
    }

    /// Root may write to every file, so the program switches to the user `nobody`.
    @Test("A store that a user may read, but not write to, is refused with this reason")
    func unwritableStore() async throws {
        let store = try open()
        try await store.write { [key] in try $0.put([:], for: key) }
        await store.close()
        for (path, mode) in [("", 0o755), ("/data.mdb", 0o644), ("/lock.mdb", 0o644)] {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: subject.path + path)
        }
        let outcome = try await TortureProgram.run(["--as-nobody", "count", subject.path, "0", "1"])
        let line = try #require(outcome.lines("failed").first, "\(outcome)")
        #expect(line.contains("may read the store but not write to it"), "\(line)")
    }

    // MARK: Backups

    @Test("A backup follows no link and uses no directory that was planted beside its target")
    func backupBesidePlantedEntries() async throws {
        let victim = try open(url("victim").path)
        try await victim.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        await victim.close()
        let before = try Data(contentsOf: url("victim/data.mdb"))
        try files.createSymbolicLink(
            atPath: url(".copy.unfinished").path, withDestinationPath: url("victim").path)
        try files.createSymbolicLink(
            atPath: url(".copy.unfinished-0000000000001").path, withDestinationPath: url("victim").path)
        try files.createDirectory(at: url(".copy.unfinished-0000000000002"), withIntermediateDirectories: false)
        try Data("kept".utf8).write(to: url(".copy.unfinished-0000000000002/data.mdb"))
        let store = try open()
        try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        try await store.backup(to: url("copy").path)
        await store.close()
        #expect(try Data(contentsOf: url("victim/data.mdb")) == before)
        #expect(try Data(contentsOf: url(".copy.unfinished-0000000000002/data.mdb")) == Data("kept".utf8))
        let copy = try open(url("copy").path)
        #expect(try copy.read { try $0.record(for: key) } == ["n": .integer(2)])
        await copy.close()
        #expect(try files.attributesOfItem(atPath: url("copy").path)[.posixPermissions] as? Int == 0o700)
    }

    // MARK: One lock file for each data file

    @Test("A second lock file over the same data file is rejected; a copy of the data file is not")
    func secondLockFile() async throws {
        let store = try open()
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        for name in ["linked", "copied"] {
            try files.createDirectory(at: url(name), withIntermediateDirectories: false)
        }
        let data = URL(filePath: "\(subject.path)/data.mdb")
        try files.linkItem(at: data, to: url("linked/data.mdb"))
        let outcome = try await TortureProgram.run(["count", url("linked").path, "0", "1"])
        #expect(!outcome.isDone && outcome.lines("failed").contains { $0.contains("another lock.mdb") }, "\(outcome)")
        await store.close()
        try files.copyItem(at: data, to: url("copied/data.mdb"))
        #expect(try await TortureProgram.run(["count", url("copied").path, "0", "1"]).isDone)
        // When no process has it open, it can be opened by either name.
        #expect(try await TortureProgram.run(["count", url("linked").path, "0", "1"]).isDone)
    }

    // MARK: Files that are removed while the store is open

    @Test("Reads fail after the data file was removed or replaced", arguments: ["removed", "replaced", "moved"])
    func readsNotice(_ how: String) async throws {
        let store = try open()
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)])
        let data = "\(subject.path)/data.mdb"
        switch how {
        case "removed": try files.removeItem(atPath: data)
        case "replaced":
            try files.copyItem(atPath: data, toPath: "\(data).new")
            try files.removeItem(atPath: data)
            try files.moveItem(atPath: "\(data).new", toPath: data)
        default: try files.moveItem(atPath: subject.path, toPath: url("elsewhere").path)
        }
        // A read checks the file system ten times a second.
        try await Task.sleep(for: .milliseconds(200))
        let error = #expect(throws: DataStoreError.self) { try store.read { try $0.record(for: key) } }
        #expect(error?.code == .inputOutput && error?.reason.contains("replaced or removed") == true)
        await store.close()
    }

    @Test("A store whose data file was replaced opens again only after the old one is closed")
    func openBesideReplaced() async throws {
        let store = try open()
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        try await store.backup(to: url("backup").path)
        try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        let data = "\(subject.path)/data.mdb"
        try files.removeItem(atPath: data)
        try files.moveItem(atPath: url("backup/data.mdb").path, toPath: data)
        // Both would share lock.mdb, and closing one would release the locks of the other.
        let error = #expect(throws: DataStoreError.self) { try open() }
        #expect(error?.code == .busy)
        // A copy of files that no longer belong to the store is not a backup.
        await #expect(throws: DataStoreError.self) { try await store.backup(to: url("late").path) }
        #expect(!files.fileExists(atPath: url("late").path))
        await store.close()
        let restored = try open()
        #expect(try restored.read { try $0.record(for: key) } == ["n": .integer(1)])
        await restored.close()
    }
}
