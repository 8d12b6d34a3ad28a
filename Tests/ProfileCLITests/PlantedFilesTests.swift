import Foundation
import Testing

/// Tests with files that another user has placed at the output paths of the program, and with limits on file sizes.
@Suite struct PlantedFilesTests {
    private let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test("An export writes to no existing file beside its target")
    func exportBesidePlantedFile() async throws {
        try await cli.run("set-mail", "vision@example.com")
        let outcome = try await cli.shell(
            """
            echo planted >.out.jsonl.unfinished-$$
            ln .out.jsonl.unfinished-$$ reader
            exec profile-cli export out.jsonl
            """)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try String(contentsOf: cli.url("reader"), encoding: .utf8) == "planted\n")
        #expect(try String(contentsOf: cli.url("out.jsonl"), encoding: .utf8).contains("vision@example.com"))
    }

    @Test("A directory in which every user may replace files is refused for a store, a backup and an export")
    func directoryOfEveryone() async throws {
        try await cli.run("set-mail", "vision@example.com", in: cli.store(.lmdb))
        try await cli.run("set-mail", "vision@example.com", in: cli.store(.plist, "list"))
        let open = cli.url("open")
        try FileManager.default.createDirectory(at: open, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open.path)
        let commands = [
            "set-mail a@example.com --store lmdb:open", "set-mail a@example.com --store plist:open/list",
            "store backup open/lmdb --store lmdb:store", "store backup open/copy --store plist:list",
            "export open/users --store lmdb:store",
        ]
        for command in commands {
            let outcome = try await cli.shell("profile-cli \(command)")
            #expect(outcome.code == 73 && outcome.isOneSentence && outcome.error.contains("chmod o-w"), "\(outcome)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: open.path).isEmpty)
        // In a directory with the sticky bit, such as /tmp, only the owner of a file may replace it.
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: open.path)
        for command in commands {
            let outcome = try await cli.shell("profile-cli \(command)")
            #expect(outcome.code == 0, "\(command): \(outcome)")
        }
    }

    @Test("An export removes the temporary files of killed processes")
    func leftovers() async throws {
        try cli.write("half", to: ".users.csv.unfinished-0123456789abc")
        try cli.write("kept", to: ".users.csv.unfinished-old")
        #expect(try await cli.run("export", "out.jsonl", in: .memory).code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: cli.directory.path)
        #expect(names.sorted() == [".users.csv.unfinished-old", "home", "out.jsonl"])
    }

    @Test("The umask removes no permission of the owner", arguments: StoreKind.allCases)
    func umask(_ kind: StoreKind) async throws {
        let outcome = try await cli.shell(
            """
            mkdir -m 0700 new
            umask 0777
            store='\(cli.store(kind, "new/store").text)'
            profile-cli set-mail vision@example.com --store "$store" &&
            profile-cli store backup new/copy --store "$store" &&
            profile-cli export new/out.jsonl --store "$store"
            """)
        #expect(outcome.code == 0, "\(outcome)")
        for name in try FileManager.default.subpathsOfDirectory(atPath: cli.url("new").path) + ["."] {
            let attributes = try FileManager.default.attributesOfItem(atPath: cli.url("new/\(name)").path)
            let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isDirectory ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test("Exceeding the file size limit is an error and not a signal", arguments: StoreKind.allCases)
    func fileSizeLimit(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let commands = [
            "set-mail other@example.com", "delete --yes", "store backup copy", "export out.jsonl", "get-mail >mail",
        ]
        for command in commands {
            let outcome = try await cli.shell("ulimit -f 0; profile-cli \(command) --store '\(store.text)'")
            #expect(outcome.code == 74 && !outcome.error.isEmpty, "\(command): \(outcome)")
        }
        #expect(try await cli.run("get-mail", in: store).output == "vision@example.com\n")
    }
}
