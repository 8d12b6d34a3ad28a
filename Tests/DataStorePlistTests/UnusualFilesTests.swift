import DataStoreCore
import DataStorePlist
import Foundation
import Testing
import TortureKit

/// Tests with something other than a readable file at the path, from the start or while a store is open.
@Suite struct UnusualFilesTests {
    /// The object at the path.
    enum UnusualFile: String, CaseIterable {
        case directory, loop, fifo, linkToFifo
    }

    private let subject: PlistSubject
    private let key: Key

    init() throws {
        subject = try PlistSubject()
        key = try Key(collection: "c", id: "a")
    }

    @Test(
        "Anything but a file at the path is an error and is left unchanged", .timeLimit(.minutes(5)),
        arguments: UnusualFile.allCases)
    func oddFile(_ file: UnusualFile) async throws {
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        try FileManager.default.removeItem(at: subject.file)
        try put(file)
        let before = try FileManager.default.attributesOfItem(atPath: subject.path)[.type] as? FileAttributeType
        for error in await [
            failure { _ = try PlistDataStore(path: subject.path) },
            failure { _ = try store.read { try $0.record(for: key) } },
            failure { try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) } },
            failure { _ = try await PlistDataStore.recover(subject.path) },
        ] {
            let error = try #require(error)
            switch file {
            case .loop: #expect(error.code == .inputOutput && error.errno == ELOOP, "\(error)")
            default: #expect(error.code == .notAStore, "\(error)")
            }
            let target = file == .linkToFifo ? subject.directory.appending(path: "fifo").path : subject.path
            #expect([subject.path, target].contains(error.path))
        }
        #expect(try FileManager.default.attributesOfItem(atPath: subject.path)[.type] as? FileAttributeType == before)
        // When it is removed, the store works again.
        try FileManager.default.removeItem(at: subject.file)
        try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(2)])
        await store.close()
    }

    @Test("A directory at the path of the lock file is an error", .timeLimit(.minutes(5)))
    func oddLockFile() async throws {
        let path = "\(subject.path).lock"
        let store = try PlistDataStore(path: subject.path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let error = try #require(
            await failure { try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) } })
        #expect(error.reason.hasPrefix("\(path): "), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: subject.path))
        try FileManager.default.removeItem(atPath: path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        await store.close()
    }

    /// Times after 2262 do not fit into 64 bits as nanoseconds.
    @Test("A file with any modification time is read", arguments: [15_000_000_000, -2_000_000_000])
    func fileTimes(secondsSince1970: Double) async throws {
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let time = Date(timeIntervalSince1970: secondsSince1970)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: subject.path)
        // Reads from the file, and from memory after the modification time is old enough to be trusted.
        try await Task.sleep(for: .milliseconds(50))
        for _ in 0..<2 { #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)]) }
        try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(2)])
        await store.close()
    }

    /// Root can read every file, so the program switches to the user `nobody`.
    @Test("A file without read permission is an error")
    func unreadableFile() async throws {
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        await store.close()
        let before = try Data(contentsOf: subject.file)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: subject.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: subject.directory.path)
        let outcome = try await TortureProgram.run(
            ["--as-nobody"] + subject.storeArguments + ["count", subject.path, "0", "1"])
        #expect(!outcome.isDone)
        let line = try #require(outcome.lines("failed").first, "\(outcome)")
        #expect(line.contains(subject.directory.path) && line.contains("permission denied"), "\(line)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: subject.path)
        #expect(try Data(contentsOf: subject.file) == before)
    }

    /// A save must open the directory to sync it. The program runs as `nobody`, because root can open every directory.
    @Test("A save in a directory that cannot be listed fails and changes nothing")
    func unlistedDirectory() async throws {
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        await store.close()
        let before = try Data(contentsOf: subject.file)
        for path in [subject.path, "\(subject.path).lock"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o1333], ofItemAtPath: subject.directory.path)
        let outcome = try await TortureProgram.run(
            ["--as-nobody"] + subject.storeArguments + ["saves", subject.path, "1"])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: subject.directory.path)
        #expect(outcome.lines("failed").first?.contains("permission denied") == true, "\(outcome)")
        #expect(try Data(contentsOf: subject.file) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: subject.directory.path)
        #expect(names.sorted() == ["profile.plist", "profile.plist.lock"])
    }

    @Test("With any number of free file descriptors, a save either succeeds or changes nothing")
    func fewDescriptors() async throws {
        var isSaved: Set<Bool> = []
        for limit in 3...16 {
            let arguments = subject.storeArguments.joined(separator: " ")
            let outcome = try await TortureProgram.run(
                script: "ulimit -n \(limit); exec \"$0\" \(arguments) saves '\(subject.path)' 1")
            let exists = FileManager.default.fileExists(atPath: subject.path)
            #expect(exists == outcome.isDone, "\(limit): \(outcome)")
            isSaved.insert(exists)
            if exists { try FileManager.default.removeItem(at: subject.file) }
        }
        #expect(isSaved == [false, true])
    }

    #if os(Linux)
    /// A string cannot contain the invalid bytes, and replacing them would yield the path of another file.
    @Test("A symbolic link to a path that is not UTF-8 is an error")
    func linkToInvalidText() async throws {
        let target: [CChar] = [0x61, -1, 0]
        #expect(unsafe symlink(target, subject.path) == 0)
        for error in await [
            failure { _ = try PlistDataStore(path: subject.path) },
            failure { _ = try await PlistDataStore.recover(subject.path) },
        ] {
            #expect(error?.code == .inputOutput && error?.reason.contains("not UTF-8") == true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: subject.directory.path).count == 1)
    }

    @Test("A relative path in a working directory that is not UTF-8 is an error")
    func workingDirectory() async throws {
        let arguments = subject.storeArguments.joined(separator: " ")
        let outcome = try await TortureProgram.run(
            script: """
                directory="$(printf '%s/a\\377' '\(subject.directory.path)')"
                mkdir "$directory"
                cd "$directory"
                exec "$0" \(arguments) saves profile.plist 1
                """)
        #expect(outcome.lines("failed").first?.contains("not UTF-8") == true, "\(outcome)")
    }
    #endif

    private func put(_ file: UnusualFile) throws {
        let fifo = subject.directory.appending(path: "fifo").path
        switch file {
        case .directory: try FileManager.default.createDirectory(at: subject.file, withIntermediateDirectories: false)
        case .loop:
            try FileManager.default.createSymbolicLink(
                atPath: subject.path, withDestinationPath: subject.file.lastPathComponent)
        case .fifo: #expect(unsafe mkfifo(subject.path, 0o600) == 0)
        case .linkToFifo:
            #expect(unsafe mkfifo(fifo, 0o600) == 0)
            try FileManager.default.createSymbolicLink(atPath: subject.path, withDestinationPath: fifo)
        }
    }

    private func failure(_ body: () async throws -> Void) async -> DataStoreError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? DataStoreError
        }
    }
}
