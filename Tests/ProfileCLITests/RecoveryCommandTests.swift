import Foundation
import Subprocess
import Testing

/// Tests of `store salvage` and `store recover`.
@Suite struct RecoveryCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private func fill(_ store: Store) async throws {
        let lines = (1...200).map { #"{"id":"user\#($0)","mailAddress":"user\#($0)@example.com"}"# }
        try await cli.run("import", "-", in: store, input: lines.joined(separator: "\n"))
    }

    @Test("salvage copies the intact records of a damaged store", arguments: StoreKind.allCases)
    func salvage(_ kind: StoreKind) async throws {
        let (store, target) = (cli.store(.lmdb), cli.store(kind, "target"))
        #expect(try await cli.run("store", "salvage", target.text, in: store).code == 66)
        try await fill(store)
        let file = cli.url("store/data.mdb")
        var bytes = try Data(contentsOf: file)
        // A record with another checksum. Its index entries contain the address, too.
        let address = Data("user7@example.com".utf8)
        try #require(bytes.range(of: address) != nil)
        while let range = bytes.range(of: address) { bytes[range.upperBound - 1] = UInt8(ascii: "@") }
        try bytes.write(to: file)
        let salvaged = try await cli.run("store", "salvage", target.text, in: store)
        #expect(salvaged.code == 74 && salvaged.output.contains("users/user7"), "\(salvaged)")
        let copied = "profile-cli: copied 199 records from \(store.text) to \(target.text)\n"
        #expect(salvaged.error.hasPrefix(copied) && salvaged.error.contains("use \(target.text) in place of"))
        #expect(try Data(contentsOf: file) == bytes, "the damaged store is not changed")
        #expect(try await cli.run("count", in: target).lines == ["199"])
        #expect(try await cli.run("store", "check", in: target).code == 0)
        let again = try await cli.run("store", "salvage", target.text, in: store)
        #expect(again.code == 74 && again.error.contains("copied 0 records"))
    }

    @Test("salvage of an intact store copies all records")
    func intact() async throws {
        try await fill(cli.store(.lmdb))
        let target = cli.store(.plist, "target")
        let salvaged = try await cli.run("store", "salvage", target.text, in: cli.store(.lmdb))
        #expect(salvaged.code == 0 && salvaged.isOneSentence, "\(salvaged)")
        #expect(
            try await cli.run("export", in: target).output == (try await cli.run("export", in: cli.store(.lmdb)).output)
        )
    }

    @Test("recover restores a truncated property list and keeps the damaged file")
    func recover() async throws {
        let store = cli.store(.plist)
        #expect(try await cli.run("store", "recover", in: store).code == 66)
        try await fill(store)
        let file = cli.url("store")
        let intact = try Data(contentsOf: file)
        let unchanged = try await cli.run("store", "recover", in: store)
        #expect(
            unchanged.code == 0 && unchanged.isOneSentence && unchanged.error.contains("is not damaged: 200 records"))
        #expect(try Data(contentsOf: file) == intact)
        try intact.prefix(intact.count / 2).write(to: file)
        let recovered = try await cli.run("store", "recover", in: store)
        #expect(recovered.code == 74 && recovered.lines.last == "more records or entries may be lost", "\(recovered)")
        #expect(recovered.error.contains("store.damaged-1\n"), "\(recovered)")
        #expect(try Data(contentsOf: cli.url("store.damaged-1")) == intact.prefix(intact.count / 2))
        let count = try #require(Int(try await cli.run("count", in: store).lines[0]))
        #expect((1..<200).contains(count))
        #expect(try await cli.run("store", "check", in: store).code == 0)
    }

    // MARK: Restoring a backup

    @Test("A backup that replaces the data file of an open store is not called damaged")
    func replacedDataFile() async throws {
        let store = cli.store(.lmdb)
        for number in 1...5 { try await cli.run("set-mail", "\(number)@example.com", in: store) }
        try await cli.run("store", "backup", "backup", in: store)
        try await cli.run("set-mail", "late@example.com", in: store)
        // This process is the program that has the store open and does nothing.
        try await cli.using(.lmdb) { _ in
            try FileManager.default.removeItem(at: cli.url("store/data.mdb"))
            try FileManager.default.moveItem(at: cli.url("backup/data.mdb"), to: cli.url("store/data.mdb"))
            for arguments in [["get-mail"], ["set-mail", "a@example.com"], ["store", "check"]] {
                let outcome = try await cli.run(arguments, in: store)
                #expect(outcome.code == 75 && outcome.isOneSentence, "\(outcome)")
                #expect(outcome.error.contains("data.mdb was replaced while another program"), "\(outcome)")
            }
        }
        #expect(try await cli.run("get-mail", in: store).output == "5@example.com\n")
        #expect(try await cli.run("store", "check", in: store).code == 0)
    }

    @Test("A backup is restored while a program has the store open")
    func restoreWhileOpen() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "old@example.com", in: store)
        try await cli.run("store", "backup", "backup", in: store)
        try await cli.run("set-mail", "new@example.com", in: store)
        let code = try await cli.watch("watch", in: store) { watch in
            #expect(try await watch.line()?.contains("new@example.com") == true)
            let copied = try await cli.run("store", "copy", "lmdb:backup", store.text, "--replace", "--yes")
            #expect(copied.code == 0, "\(copied)")
            var last = try await watch.line()
            while let line = last, !line.contains("old@example.com") { last = try await watch.line() }
            #expect(last != nil)
            try watch.send(.terminate)
            while try await watch.line() != nil {}
        }
        #expect(code == 128 + SIGTERM)
    }

    @Test(
        "Another kind of store is an error with the remedy",
        arguments: [
            (["salvage", "lmdb:x"], StoreKind.plist, "recover it in place"),
            (["recover"], .lmdb, "salvage it into another store"),
            (["salvage", "memory:"], .lmdb, "choose a persistent store"),
        ])
    func otherKind(_ arguments: [String], _ kind: StoreKind, _ remedy: String) async throws {
        try await fill(cli.store(kind))
        let outcome = try await cli.run(["store"] + arguments, in: cli.store(kind))
        #expect(outcome.code == 65 && outcome.isOneSentence && outcome.error.contains(remedy), "\(outcome)")
    }
}
