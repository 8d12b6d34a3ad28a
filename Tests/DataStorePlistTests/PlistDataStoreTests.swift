import CDataStoreSystem
import DataStoreCore
import DataStorePlist
import DataStoreTesting
import Foundation
import Synchronization
import TestScale
import Testing

@Suite struct PlistDataStoreTests {
    private let key: Key

    init() throws { key = try Key(collection: "users", id: "me") }

    /// The format of the file concerns only the checks of what is stored, and an XML file takes longer to write.
    @Test(
        "The store fulfills the contract with XML files",
        arguments: TestScale.isFull ? DataStoreConformance.persistent : DataStoreConformance.storage)
    func contractInXML(_ requirement: DataStoreConformance) async throws {
        try await requirement.check { try PlistSubject(.xml) }
    }

    @Test(
        "The store fulfills the contract with binary files",
        arguments: DataStoreConformance.persistent + DataStoreConformance.scopedNotification
            + DataStoreConformance.writeQueueCases)
    func contractInBinary(_ requirement: DataStoreConformance) async throws {
        try await requirement.check { try PlistSubject(.binary) }
    }

    @Test("A person can read the XML file")
    func readableXML() async throws {
        let subject = try PlistSubject()
        let store = try await subject.open()
        try await store.write { [key] in try $0.put(["mailAddress": .string("vision@example.com")], for: key) }
        let text = try String(contentsOf: subject.file, encoding: .utf8)
        #expect(text.contains("<key>users</key>"))
        #expect(text.contains("<key>me</key>"))
        #expect(text.contains("<key>mailAddress</key>"))
        #expect(text.contains("<string>vision@example.com</string>"))
    }

    @Test("Values have the types of property lists")
    func types() async throws {
        let subject = try PlistSubject()
        let store = try await subject.open()
        try await store.write { [key] transaction in
            try transaction.put(
                [
                    "string": .string("a\tb\n"), "integer": .integer(7), "real": .real(7), "bool": .bool(true),
                    "date": .date(Timestamp(seconds: 0)), "data": .data([1]), "array": .array([.integer(1)]),
                    "record": .record(["a": .bool(false)]),
                ], for: key)
        }
        let text = try String(contentsOf: subject.file, encoding: .utf8)
        for element in [
            "<integer>7</integer>", "<real>7.0</real>", "<true/>", "<date>1970-01-01T00:00:00Z</date>", "<array>",
            "<false/>",
        ] {
            #expect(text.contains(element))
        }
    }

    @Test(
        "Entries of other programs and the format of the file are kept",
        arguments: [PlistDataStore.Format.xml, .binary])
    func keptEntries(_ format: PlistDataStore.Format) async throws {
        let subject = try PlistSubject(format)
        let others: [String: Any] = [
            "Theirs": ["number": 1, "real": 2.5, "flag": true, "when": Date(timeIntervalSince1970: 5)] as [String: Any],
            "users": "not ours either",
        ]
        let plistFormat: PropertyListSerialization.PropertyListFormat = format == .xml ? .xml : .binary
        try PropertyListSerialization.data(fromPropertyList: others, format: plistFormat, options: 0)
            .write(to: subject.file)
        // A store that would create a file in the other format keeps the format of an existing file.
        let store = try PlistDataStore(path: subject.file.path, format: format == .xml ? .binary : .xml)
        try await store.write { [key] in try $0.put(["a": .bool(true)], for: key) }
        var root = try subject.parsed()
        #expect(root.removeValue(forKey: "UserProfile") != nil)
        #expect(root as NSDictionary == others as NSDictionary)
        #expect(try Data(contentsOf: subject.file).starts(with: Data("bplist00".utf8)) == (format == .binary))
    }

    @Test("Opening creates nothing, and a new file is private to its owner")
    func permissions() async throws {
        let subject = try PlistSubject()
        let file = subject.directory.appending(path: "new/er/profile.plist")
        let store = try PlistDataStore(path: file.path)
        #expect(try store.read { try $0.record(for: key) } == nil)
        #expect(!FileManager.default.fileExists(atPath: subject.directory.appending(path: "new").path))
        try await store.write { [key] in try $0.put([:], for: key) }
        func mode(_ file: URL) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        }
        #expect(try mode(file) == 0o600)
        #expect(try mode(file.deletingLastPathComponent()) == 0o700)
        #expect(try mode(URL(filePath: file.path + ".lock")) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 2)
    }

    @Test("The permissions and a symbolic link are kept")
    func modeAndLink() async throws {
        let subject = try PlistSubject()
        let target = subject.directory.appending(path: "target.plist")
        var store = try PlistDataStore(path: target.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
        try FileManager.default.createSymbolicLink(at: subject.file, withDestinationURL: target)
        store = try PlistDataStore(path: subject.file.path)
        try await store.write { [key] in try $0.put(["a": .bool(true)], for: key) }
        let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: subject.file.path) == target.path)
        #expect(try PlistDataStore(path: target.path).read { try $0.record(for: key) } == ["a": .bool(true)])
    }

    @Test(
        "The extended attributes and the access control list are kept, and none is inherited",
        .enabled("python3 is installed", { await OtherProgram.plistlib.isInstalled() }))
    func attributes() async throws {
        let subject = try PlistSubject()
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        // An access control list that lets the user 65534 read the file. With it, the group bits of the mode are the
        // mask of the list, so a file without the list would let the group read.
        let functions = """
            import os, struct, sys
            file, directory = sys.argv[1], os.path.dirname(sys.argv[1])
            entries = [(1, 6, -1), (2, 4, 65534), (4, 0, -1), (16, 4, -1), (32, 0, -1)]
            access = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *entry) for entry in entries)
            """
        func run(_ script: String) async throws -> String {
            try await OtherProgram.run("python3", ["-c", "\(functions)\n\(script)", subject.path])
        }
        #expect(
            try await run(
                """
                os.setxattr(file, 'user.origin', b'https://example.com')
                os.setxattr(file, 'system.posix_acl_access', access)
                """) == "")
        try await store.write { [key] in try $0.put(["a": .bool(true)], for: key) }
        #expect(
            try await run(
                """
                assert os.getxattr(file, 'user.origin') == b'https://example.com'
                assert os.getxattr(file, 'system.posix_acl_access') == access
                assert os.stat(file).st_mode & 0o777 == 0o640
                # A file without a list stays without one in a directory that new files inherit a list from.
                os.removexattr(file, 'system.posix_acl_access')
                os.chmod(file, 0o640)
                os.setxattr(directory, 'system.posix_acl_default', access)
                """) == "")
        try await store.write { [key] in try $0.put(["a": .bool(false)], for: key) }
        #expect(
            try await run(
                """
                assert os.listxattr(file) == ['user.origin'], os.listxattr(file)
                assert os.stat(file).st_mode & 0o777 == 0o640
                """) == "")
        await store.close()
    }

    @Test("A path through a link is the same file for each operation")
    func pathThroughLink() async throws {
        // `here/link/..` is the parent directory of the link's target, not `here`.
        let subject = try PlistSubject()
        for name in ["here", "there/deep"] {
            try FileManager.default.createDirectory(
                at: subject.directory.appending(path: name), withIntermediateDirectories: true)
        }
        let root = subject.directory.path
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/here/link", withDestinationPath: "../there/deep")
        let bystander = try PlistDataStore(path: "\(root)/here/p.plist")
        try await bystander.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let store = try PlistDataStore(path: "\(root)/here/link/../p.plist")
        try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(2)])
        #expect(try bystander.read { try $0.record(for: key) } == ["n": .integer(1)])
        #expect(FileManager.default.fileExists(atPath: "\(root)/there/p.plist"))
    }

    @Test("A save creates the target of a dangling link and keeps the link")
    func danglingLink() async throws {
        let subject = try PlistSubject()
        try FileManager.default.createSymbolicLink(
            atPath: subject.file.path, withDestinationPath: "target.plist")
        let store = try PlistDataStore(path: subject.file.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: subject.file.path) == "target.plist")
        #expect(FileManager.default.fileExists(atPath: subject.directory.appending(path: "target.plist").path))
    }

    @Test("A save touches no other file in the directory")
    func otherFiles() async throws {
        let subject = try PlistSubject()
        let others = [
            "profile.plist.new", "profile.plist.tmp", "profile.plist~", ".profile.plist", "profile",
            ".profile.plist.saving", ".profile.plist.saving-old", ".profile.plist.saving-0123456789abc.plist",
            ".profile.plist.saving-0123456789ABD",
        ]
        for name in others { try Data(name.utf8).write(to: subject.directory.appending(path: name)) }
        // A temporary file of a save that was killed.
        try Data("half".utf8).write(to: subject.directory.appending(path: ".profile.plist.saving-0123456789abc"))
        let store = try await subject.open()
        try await store.write { [key] in try $0.put([:], for: key) }
        for name in others {
            #expect(try Data(contentsOf: subject.directory.appending(path: name)) == Data(name.utf8))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: subject.directory.path)
        #expect(Set(names) == Set(others + ["profile.plist", "profile.plist.lock"]))
    }

    @Test("A save removes no temporary file of a store with a similar name")
    func similarNames() async throws {
        let subject = try PlistSubject()
        let long = String(repeating: "a", count: 200)
        for (name, other) in [("\u{E9}", "e\u{301}"), (long + "1", long)] {
            let temporary = subject.directory.appending(path: ".\(other).saving-0123456789abc").path
            #expect(FileManager.default.createFile(atPath: temporary, contents: nil))
            let store = try PlistDataStore(path: subject.directory.appending(path: name).path)
            try await store.write { [key] in try $0.put([:], for: key) }
            await store.close()
            #expect(FileManager.default.fileExists(atPath: temporary))
        }
    }

    @Test("The closure of a large first write runs to its end once")
    func largeFirstWrite() async throws {
        let subject = try PlistSubject()
        let store = try await subject.open()
        let endCount = Atomic(0)
        let keys = try (1000..<3000).map { try Key(collection: "c", id: "\($0)") }
        try await store.write { transaction in
            for key in keys { try transaction.put([:], for: key) }
            endCount.add(1, ordering: .relaxed)
        }
        #expect(endCount.load(ordering: .relaxed) == 1)
        #expect(try await store.read { try $0.records(in: Scan("c")).map(\.key) } == keys)
        await store.close()
    }

    @Test("A first write that changes nothing or fails creates no file")
    func removalOfNothing() async throws {
        let subject = try PlistSubject()
        let store = try PlistDataStore(path: subject.directory.appending(path: "new/profile.plist").path)
        let existed = try await store.write { [key] in try $0.remove(key) }
        #expect(!existed)
        await #expect(throws: CancellationError.self) {
            try await store.write { [key] transaction in
                try transaction.put([:], for: key)
                throw CancellationError()
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: subject.directory.path).isEmpty)
    }

    @Test("Two keys for one record are corruption")
    func repeatedKey() async throws {
        let subject = try PlistSubject()
        let store = try await subject.open()
        try await store.write { [key] in try $0.put([:], for: key) }
        try subject.edit { root in
            root["UserProfile"] =
                ["$format": 2, "users": ["me": [String: Any](), "$me": [String: Any]()]] as [String: Any]
        }
        #expect(code { _ = try PlistDataStore(path: subject.file.path) } == .corrupted)
    }

    @Test("The next read returns an edit of the file")
    func editedFile() async throws {
        let subject = try PlistSubject()
        let store = try await subject.open()
        try await store.write { [key] in try $0.put(["mailAddress": .string("a@example.com")], for: key) }
        for number in 0..<20 {
            // Written in place immediately after the last write, with the same length: neither size nor inode changes.
            let text = try String(contentsOf: subject.file, encoding: .utf8)
            let letter = Character(UnicodeScalar(UInt8(ascii: "b") + UInt8(number)))
            let edited = text.replacing(/<string>.@/, with: "<string>\(letter)@")
            try edited.write(to: subject.file, atomically: false, encoding: .utf8)
            #expect(
                try await store.read { try $0.record(for: key) } == ["mailAddress": .string("\(letter)@example.com")])
        }
    }

    @Test(
        "A file that is not a store is rejected and left unchanged",
        arguments: [
            ("", DataStoreError.Code.notAStore), ("some text", .notAStore), ("{ a = b; }", .notAStore),
            ("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key>", .corrupted),
            ("bplist00rubbish", .notAStore),
            ("<plist version=\"1.0\"><array/></plist>", .notAStore),
            ("<plist version=\"1.0\"><dict><key>UserProfile</key><string/></dict></plist>", .notAStore),
            ("<plist version=\"1.0\"><dict><key>UserProfile</key><dict/></dict></plist>", .corrupted),
        ])
    func notAStore(_ contents: String, _ code: DataStoreError.Code) async throws {
        let subject = try PlistSubject()
        let store = try PlistDataStore(path: subject.file.path)
        try Data(contents.utf8).write(to: subject.file)
        // A store that was opened before does not treat the file as empty either, neither for a read nor for a save.
        #expect(self.code { _ = try PlistDataStore(path: subject.file.path) } == code)
        #expect(self.code { _ = try store.read { try $0.record(for: key) } } == code)
        await #expect {
            try await store.write { [key] in try $0.put([:], for: key) }
        } throws: { ($0 as? DataStoreError)?.code == code && ($0 as? DataStoreError)?.path == subject.file.path }
        #expect(try Data(contentsOf: subject.file) == Data(contents.utf8))
    }

    @Test(
        "The error for a file in UTF-16 says how to convert it",
        arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func fileInUTF16(_ encoding: String.Encoding) throws {
        let subject = try PlistSubject()
        let text = #"<?xml version="1.0" encoding="UTF-16"?><plist version="1.0"><dict/></plist>"#
        try #require(text.data(using: encoding)).write(to: subject.file)
        func names(_ error: any Error) -> Bool { "\(error)".contains("UTF-16; convert the file (iconv -f UTF-16 -t") }
        #expect { _ = try PlistDataStore(path: subject.path) } throws: { names($0) }
        #expect { _ = try PlistDataStore.entries(["a"], ofFileAt: subject.path) } throws: { names($0) }
    }

    @Test("A backup removes the temporary files of killed processes, and no others")
    func leftovers() async throws {
        let subject = try PlistSubject()
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        let (killed, running) = (".old.jsonl.unfinished-0123456789abc", ".copy.unfinished-0123456789abd")
        let others = [".old.jsonl.unfinished-0123456789abcd", "old.unfinished-0123456789abc", ".other-0123456789abc"]
        for name in [killed, running] + others { try Data().write(to: subject.directory.appending(path: name)) }
        // A running process locks its temporary file.
        let file = try FileHandle(forUpdating: subject.directory.appending(path: running))
        #expect(up_lock(file.fileDescriptor, 0, 1) == 0)
        func names() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: subject.directory.path))
        }
        let stores = ["profile.plist", "profile.plist.lock"]
        try await store.backup(to: subject.directory.appending(path: "copy").path)
        #expect(try names() == Set(stores + ["copy", running] + others))
        // Closing the file would not suffice while another test starts a process, which inherits the descriptor.
        #expect(up_unlock(file.fileDescriptor, 0) == 0)
        try await store.backup(to: subject.directory.appending(path: "second").path)
        #expect(try names() == Set(stores + ["copy", "second"] + others))
        await store.close()
    }

    @Test("Concurrent backups to one directory do not remove each other's temporary files")
    func concurrentBackups() async throws {
        let subject = try PlistSubject()
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        try await store.backup(to: subject.directory.appending(path: "copy\(task)-\(number)").path)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: subject.directory.path).count == 202)
        await store.close()
    }

    @Test("A directory at the path is rejected")
    func directory() throws {
        let subject = try PlistSubject()
        #expect(code { _ = try PlistDataStore(path: subject.directory.path) } == .notAStore)
    }

    @Test("Concurrent saves share a write of the file")
    func sharedWrites() async throws {
        let subject = try PlistSubject()
        let store = try PlistDataStore(path: subject.file.path)
        try await store.write { try $0.put([:], for: Key(collection: "c", id: "first")) }
        let before = try store.generation()
        // The first write waits for the lock until all others are queued.
        let lock = try FileHandle(forUpdating: URL(filePath: subject.path + ".lock"))
        // A process that another test is starting inherits the lock until its program is loaded.
        try await until { up_lock(lock.fileDescriptor, 0, 1) == 0 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask { try await store.write { try $0.put([:], for: Key(collection: "c", id: "\(number)")) } }
            }
            try await Task.sleep(for: .milliseconds(200))
            #expect(up_unlock(lock.fileDescriptor, 0) == 0)
            try await group.waitForAll()
        }
        // Each write increases the generation by one.
        #expect(try store.generation() - before <= 6)
        #expect(try store.read { try $0.records(in: Scan("c")).count } == 65)
        await store.close()
    }

    private func code(_ body: () throws -> Void) -> DataStoreError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? DataStoreError)?.code
        }
    }
}
