import DataStoreCore
import Foundation
import Synchronization
import Testing

/// Tests of `store restore` and of backups that replace older ones.
@Suite struct RestoreCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test("A backup replaces the store, and the replaced file is kept", arguments: StoreKind.allCases)
    func restored(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "old@example.com", in: store)
        #expect(try await cli.run("store", "backup", "backup", in: store).code == 0)
        try await cli.run("set-mail", "new@example.com", in: store)
        let unasked = try await cli.run("store", "restore", "backup", in: store)
        #expect(unasked.code == 64 && unasked.error.contains("--yes"))
        for number in 1...2 {
            let restored = try await cli.run("store", "restore", "backup", "--yes", in: store)
            let kept = cli.url(kind == .lmdb ? "store/data.mdb.replaced-\(number)" : "store.replaced-\(number)")
            #expect(restored.code == 0 && restored.error.contains(kept.path), "\(restored)")
            #expect(FileManager.default.fileExists(atPath: kept.path))
            #expect(try await cli.run("get-mail", in: store).lines == ["old@example.com"])
            #expect(try await cli.run("store", "check", in: store).code == 0)
            #expect(try await cli.run("set-mail", "new@example.com", in: store).code == 0)
        }
        // The backup is still a store of its own.
        #expect(try await cli.run("get-mail", in: cli.store(kind, "backup")).lines == ["old@example.com"])
        #expect(try cli.snapshot().keys.filter { $0.contains(".restoring") }.isEmpty)
    }

    @Test("A damaged or missing store is restored", arguments: StoreKind.allCases)
    func damagedStore(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "old@example.com", in: store)
        try await cli.run("store", "backup", "backup", in: store)
        let file = cli.url(kind == .lmdb ? "store/data.mdb" : "store")
        var bytes = try Data(contentsOf: file)
        bytes.removeLast(bytes.count / 3)
        try bytes.write(to: file)
        #expect(try await cli.run("list", in: store).code == 74)
        let restored = try await cli.run("store", "restore", "backup", "--yes", in: store)
        #expect(restored.code == 0, "\(restored)")
        #expect(try await cli.run("get-mail", in: store).lines == ["old@example.com"])
        let other = cli.store(kind, "other")
        #expect(try await cli.run("store", "restore", "backup", in: other).code == 0)
        #expect(try await cli.run("get-mail", in: other).lines == ["old@example.com"])
    }

    @Test("A restore that fails changes nothing", arguments: StoreKind.allCases)
    func failures(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "old@example.com", in: store)
        try await cli.run("store", "backup", "backup", in: store)
        let files = try cli.snapshot()
        for (backup, code) in [("nothing", 66 as Int32), ("store", 65)] {
            let outcome = try await cli.run("store", "restore", backup, "--yes", in: store)
            #expect(outcome.code == code && outcome.isOneSentence, "\(outcome)")
        }
        #expect(try cli.snapshot() == files)
        let file = cli.url(kind == .lmdb ? "backup/data.mdb" : "backup")
        let good = try Data(contentsOf: file)
        try good.prefix(kind == .lmdb ? good.count - 4096 : good.count / 2).write(to: file)
        let damaged = try await cli.run("store", "restore", "backup", "--yes", in: store)
        #expect(damaged.code == 74 && damaged.isOneSentence, "\(damaged)")
        #expect(try await cli.run("get-mail", in: store).lines == ["old@example.com"])
    }

    @Test("An LMDB store that another program uses is not replaced")
    func storeInUse() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "old@example.com", in: store)
        try await cli.run("store", "backup", "backup", in: store)
        let outcome = try await cli.using(.lmdb) { opened in
            _ = try await opened.read { try $0.collections() }
            return try await cli.run("store", "restore", "backup", "--yes", in: store)
        }
        #expect(outcome.code == 75 && outcome.isOneSentence && outcome.error.contains("close it"), "\(outcome)")
        #expect(try await cli.run("store", "restore", "backup", "--yes", in: store).code == 0)
    }

    @Test("A store that another program is changing is no backup, and is not called damaged")
    func changingBackup() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "old@example.com", in: store)
        let data = Value.data(Array(repeating: 1, count: 100_000))
        try await cli.using(.lmdb, "backup") { other in
            try await other.write { transaction in
                for number in 0..<100 {
                    try transaction.put(["data": data], for: Key(collection: "c", id: "\(number)"))
                }
            }
            let isDone = Mutex(false)
            async let writing: Void = {
                while !isDone.withLock(\.self) {
                    try await other.write { try $0.put(["data": data], for: Key(collection: "c", id: "0")) }
                }
            }()
            for _ in 0..<5 {
                let outcome = try await cli.run("store", "restore", "backup", "--yes", in: store)
                #expect(
                    outcome.code == 0 || outcome.code == 75 && outcome.isOneSentence && outcome.error.contains("retry"),
                    "\(outcome)")
            }
            isDone.withLock { $0 = true }
            try await writing
        }
        #expect(try await cli.run("store", "check", in: store).code == 0)
    }

    @Test("--keep removes the oldest backups", arguments: StoreKind.allCases)
    func keptBackups(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "old@example.com", in: store)
        let backups = cli.url("backups")
        try FileManager.default.createDirectory(at: backups, withIntermediateDirectories: true)
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted() }
        for name in ["daily-20200101T000000Z", "daily-20200102T000000Z", "daily-20200103T000000Z", "daily-20200104"] {
            #expect(try await cli.run("store", "backup", "backups/\(name)", in: store).code == 0)
        }
        let outcome = try await cli.run("store", "backup", "backups/daily", "--keep", "2", in: store)
        #expect(outcome.code == 0 && outcome.error.contains("removed 2 old backups"), "\(outcome)")
        let kept = try names()
        #expect(kept.count == 3 && kept[0] == "daily-20200103T000000Z" && kept[1] == "daily-20200104", "\(kept)")
        #expect(try await cli.run("get-mail", in: cli.store(kind, "backups/\(kept[2])")).lines == ["old@example.com"])
        #expect(try await cli.run("store", "backup", "backups/daily", "--keep", "0", in: store).code == 64)
    }
}
