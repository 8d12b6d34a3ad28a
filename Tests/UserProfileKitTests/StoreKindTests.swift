import DataStoreCore
import DataStoreQueries
import Synchronization
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of a kind of store that is not a part of the kit.
@Suite struct StoreKindTests {
    let kind = BoxStoreKind()

    private func box(_ name: String) -> StorageLocation { StorageLocation(kind: kind, address: name) }

    /// Saves users, and a record of an embedding program.
    private func fill(_ location: StorageLocation, userCount: Int = 2) async throws {
        let store = try await location.kind.open(at: location.address, report: nil)
        try await store.write { transaction in
            for number in 0..<userCount {
                let key = try Key(collection: "users", id: "user\(number)")
                try transaction.put(["mailAddress": .string("user\(number)@example.com")], for: key)
            }
            try transaction.put(["title": .string("milk")], for: try Key(collection: "notes", id: "1"))
        }
        await store.close()
    }

    // MARK: Locations

    @Test("A kind that a program adds is opened by text", arguments: ["a", "//user@host/db?schema=profiles", "a:b"])
    func openedByText(_ name: String) async throws {
        let location = try StorageLocation("box:\(name)", kinds: .local + [kind])
        #expect(location == box(name) && location.description == "box:\(name)")
        #expect(location != .lmdb(name) && Set([location, box(name), .lmdb(name)]).count == 2)
        for address in ["one@example.com", "two@example.com"] {
            let storage = try await UserProfileStorage.open(location)
            try await storage.profiles.saveMailAddress(MailAddress(address))
            await storage.close()
            let again = try await UserProfileStorage.open(StorageLocation("box:\(name)", kinds: [kind]))
            #expect(try await again.profiles.mailAddress()?.text == address)
            await again.close()
        }
    }

    @Test("An unknown scheme is an error that lists the known ones")
    func unknownScheme() {
        let error = #expect(throws: ValidationError.self) { try StorageLocation("boxes:a", kinds: .local + [kind]) }
        #expect(error?.rule.contains("\"boxes\"") == true)
        #expect(error?.rule.contains("lmdb:, plist:, memory:, box:") == true)
        #expect(throws: ValidationError.self) { try StorageLocation("box:a") }
        #expect(throws: ValidationError.self) { try StorageLocation("memory:", kinds: [kind]) }
    }

    @Test("A rejected address is reported with the whole text")
    func rejectedAddress() {
        let error = #expect(throws: ValidationError.self) { try StorageLocation("box:a b", kinds: [kind]) }
        #expect(error?.given == "box:a b" && error?.rule == "a name without spaces must follow box:")
    }

    @Test("A kind that a program adds can be configured")
    func configuration() async throws {
        let variables = ["PROFILE_STORE": "box:a", "HOME": "/nonexistent"]
        let configuration = try Configuration.read(program: "my-program", variables: variables, kinds: [kind])
        #expect(configuration.store == box("a"))
        #expect(throws: ConfigurationError.self) { try Configuration.read(program: "my-program", variables: variables) }
    }

    // MARK: Maintenance

    @Test("A kind without a file has information and a check")
    func inspection() async throws {
        await #expect { try await box("a").info() } throws: { ($0 as? DataStoreError)?.code == .noStore }
        try await fill(box("a"))
        let info = try await box("a").info()
        #expect(info.file == nil && info.fileByteCount == nil && info.pages == nil && info.format == "box")
        #expect(info.recordCounts == ["notes": 1, "users": 2])
        #expect(try await box("a").check().isEmpty)
    }

    @Test("A store is copied between an added kind and the others")
    func copies() async throws {
        let directory = try TemporaryDirectory()
        try await fill(box("a"), userCount: 2500)
        let lmdb = StorageLocation.lmdb(directory.path("store"))
        let counts = Mutex<[Int]>([])
        #expect(try await box("a").copy(to: lmdb) { count in counts.withLock { $0.append(count) } } == 2501)
        // A store may run a write more than once.
        #expect(counts.withLock { $0.prefix(2) } == [1000, 2000])
        #expect(try await lmdb.check().isEmpty)
        #expect(try await lmdb.copy(to: box("b")) == 2501)
        #expect(try await box("b").info().recordCounts == box("a").info().recordCounts)
        let storage = try await UserProfileStorage.open(box("b"))
        #expect(try await storage.profiles.mailAddress(of: UserID("user2499"))?.text == "user2499@example.com")
        await storage.close()
    }

    @Test("A copy of an added kind keeps unique fields")
    func uniqueCopies() async throws {
        let directory = try TemporaryDirectory()
        let store = try await kind.open(at: "a", report: nil)
        try await SchemaStore(store, schema: Schema([.init("notes", indexes: [.unique("title")])])).buildIndexes()
        try await fill(box("a"))
        try await box("a").copy(to: .lmdb(directory.path("store")))
        try await StorageLocation.lmdb(directory.path("store")).copy(to: box("b"))
        for location in [.lmdb(directory.path("store")), box("b")] {
            let indexes = try await location.indexes()
            #expect(indexes.map(\.collection) == ["notes"] && indexes.allSatisfy { $0.isUnique && $0.state == .ready })
            let storage = try await UserProfileStorage.open(location)
            let error = await #expect(throws: DataStoreError.self) {
                try await storage.records.write {
                    try $0.put(["title": .string("milk")], for: Key(collection: "notes", id: "2"))
                }
            }
            #expect(error?.code == .notUnique)
            await storage.close()
        }
    }

    @Test("A copy replaces a store of an added kind only on request")
    func replacement() async throws {
        try await fill(box("a"), userCount: 1)
        try await fill(box("b"), userCount: 2)
        await #expect { try await box("a").copy(to: box("b")) } throws: {
            ($0 as? DataStoreError)?.code == .notAStore
        }
        #expect(try await box("b").info().recordCounts == ["notes": 1, "users": 2])
        #expect(try await box("a").copy(to: box("b"), replacing: true) == 2)
        #expect(try await box("b").info().recordCounts == ["notes": 1, "users": 1])
        await #expect { try await box("a").copy(to: box("a")) } throws: {
            ($0 as? DataStoreError)?.code == .unsupported
        }
        await #expect { try await box("a").copy(to: .memory) } throws: {
            ($0 as? DataStoreError)?.code == .unsupported
        }
    }

    @Test("A copy succeeds although another program saves to the target after the commit")
    func saveAfterCommit() async throws {
        try await fill(box("a"))
        var kind = kind
        kind.willOpen = { store in
            guard try store.read({ try !$0.collections().isEmpty }) else { return }
            try await store.write { try $0.put([:], for: Key(collection: "users", id: "later")) }
        }
        let target = StorageLocation(kind: kind, address: "b")
        #expect(try await box("a").copy(to: target, replacing: true) == 3)
        #expect(try await box("b").info().recordCounts["users"] == 3)
    }

    @Test("A kind without backups, compaction and repairs rejects them")
    func unsupported() async throws {
        let directory = try TemporaryDirectory()
        let copy = StorageLocation.lmdb(directory.path("b"))
        try await fill(box("a"))
        let error = await #expect(throws: DataStoreError.self) { try await box("a").backUp(to: directory.path("b")) }
        #expect(error?.code == .unsupported && error?.path == "box:a" && error?.operation == "back up the store")
        #expect(error?.description.contains("kind box") == true)
        #expect(Failure(try #require(error)).kind == .badInput)
        await #expect { try await box("a").compact() } throws: { ($0 as? DataStoreError)?.code == .unsupported }
        await #expect { try await box("a").recover() } throws: { ($0 as? DataStoreError)?.code == .unsupported }
        await #expect { try await box("a").salvage(into: copy) } throws: {
            ($0 as? DataStoreError)?.code == .unsupported
        }
    }

    @Test("A kind that a program adds can back up, salvage and recover")
    func repairs() async throws {
        let directory = try TemporaryDirectory()
        let damaged = StorageLocation(kind: ShelfStoreKind(), address: "a")
        let copy = StorageLocation.lmdb(directory.path("copy"))
        let salvaged = try await damaged.salvage(into: copy)
        #expect(salvaged.savedCount == 1 && salvaged.losses == ["the second record is lost"])
        #expect(try await copy.info().recordCounts == ["notes": 1])
        #expect(try await damaged.recover().damagedFile == "a.damaged")
        #expect(try await damaged.check() == ["the second record is damaged"])
    }
}
