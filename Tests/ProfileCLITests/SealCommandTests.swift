#if Sealing
import Foundation
import Testing

/// Tests of `key new`, `store seal`, `store unseal`, `store rekey` and `store reseal`, and of the options for keys.
@Suite struct SealCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test("A key file belongs to its owner alone, and is never replaced")
    func newKey() async throws {
        #expect(try await cli.run("key", "new", "key").code == 0)
        let path = cli.directory.appending(path: "key").path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try await cli.run("key", "new", "key").code == 73)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("Fields are sealed, read with the key, and unsealed", arguments: StoreKind.allCases)
    func seal(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        for (name, number) in [("key", "1"), ("other", "1"), ("new", "2")] {
            #expect(try await cli.run("key", "new", name, "--number", number).code == 0)
        }
        #expect(try await cli.run("set-mail", "ada@example.com", in: store).code == 0)
        #expect(try await cli.run("set-birthday", "1999-12-31", in: store).code == 0)
        let seal = ["store", "seal", "users", "--searchable", "mailAddress", "--opaque", "birthday"]
        let trial = try await cli.run(seal + ["--dry-run"], in: store)
        #expect(trial.code == 0 && trial.error.contains("2 values"))
        #expect(try await cli.run(seal + ["--yes"], in: store).code == 64)
        #expect(try await cli.run(seal + ["--key-file", "key"], in: store).code == 64, "nobody can confirm")
        for options in [["--dry-run"], ["--key-file", "key", "--yes"]] {
            let overlapping = ["store", "seal", "users", "--opaque", "address", "--opaque", "address.street"]
            let failed = try await cli.run(overlapping + options, in: store)
            #expect(failed.code >= 64 && failed.error.contains("seal only one"), "\(failed)")
        }
        #expect(try await cli.run("get-mail", in: store).output == "ada@example.com\n")
        let sealed = try await cli.run(seal + ["--key-file", "key", "--yes"], in: store)
        #expect(sealed.code == 0 && sealed.error.contains("store compact"), "\(sealed)")

        for options in [[], ["--key-file", "other"], ["--key-file", "none"], ["--key-command", "exit 3"]] {
            for command in [["show"], ["set-mail", "b@example.com"], ["list"]] {
                let failed = try await cli.run(command + options, in: store)
                #expect(failed.code >= 64 && failed.error.contains("key"), "\(command) \(options) \(failed)")
            }
        }
        let export = try await cli.run("export", in: store)
        #expect(export.code == 0 && export.error.contains("lacks the sealed fields users.birthday, users.mailAddress;"))
        #expect(!export.output.contains("ada") && export.output.contains("\"me\""), "\(export)")
        #expect(try await cli.run("export", "--key-file", "key", in: store).output.contains("ada@example.com"))
        let mail = try await cli.run("get-mail", in: store, with: ["PROFILE_KEY_FILE": "key"])
        #expect(mail.output == "ada@example.com\n")
        let found = try await cli.run(
            ["list", "--where", "mail = ada@EXAMPLE.com", "--key-command", "cat key"], in: store)
        #expect(found.code == 0 && found.output.contains("1999-12-31"), "\(found)")
        let record = try await cli.run("record", "get", "users", "me", in: store)
        #expect(record.output.contains("{\"$sealed\":true}") && !record.output.contains("ada"))
        #expect(try await cli.run("store", "check", in: store).code == 0)
        #expect(try await cli.run("store", "check", "--key-file", "key", in: store).code == 0)

        let sameNumber = try await cli.run(
            "store", "rekey", "--key-file", "key", "--new-key-file", "other", in: store)
        #expect(sameNumber.code == 65 && sameNumber.error.contains("profile-cli key new --number 2"), "\(sameNumber)")
        #expect(try await cli.run("store", "rekey", "--key-file", "key", "--new-key-file", "new", in: store).code == 0)
        #expect(try await cli.run("show", "--key-file", "key", in: store).code == 77)
        #expect(try await cli.run("store", "reseal", "--key-file", "new", "--renew-blind-key", in: store).code == 0)
        #expect(try await cli.run("set-mail", "bob@example.com", "--key-file", "new", in: store).code == 0)
        #expect(
            try await cli.run(
                "store", "unseal", "users", "mailAddress", "birthday", "--key-file", "new", "--yes", in: store
            )
            .code == 0)
        #expect(try await cli.run("get-mail", in: store).output == "bob@example.com\n")
        let plain = try await cli.run("list", "--where", "mail = bob@EXAMPLE.com", in: store)
        #expect(plain.output.contains("1999-12-31"))
    }
}
#endif
