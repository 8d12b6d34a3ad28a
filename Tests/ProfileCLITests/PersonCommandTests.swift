import Testing

/// Tests of `erase` and `export --everything`, and of `store purge`.
@Suite struct PersonCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test("A user is exported with everything, and erased", arguments: StoreKind.allCases)
    func erase(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        for user in ["a", "b"] {
            #expect(try await cli.run("set-birthday", "2011-08-01", "--user", user, in: store).code == 0)
        }
        #expect(try await cli.run("setting", "set", "theme", "\"dark\"", "--group", "user/a", in: store).code == 0)
        let export = try await cli.run(
            "export", "--user", "a", "--everything", "--settings-prefix", "user/a", in: store)
        #expect(export.code == 0 && export.lines.count == 2, "\(export)")
        #expect(export.lines.first?.contains(#""id":"a""#) == true)
        for wrong in ["--user a", "--everything --where mail", "--everything --format csv"] {
            #expect(try await cli.run(["export"] + wrong.split(separator: " ").map(String.init), in: store).code == 64)
        }

        let refused = try await cli.run("erase", "--user", "a", in: store)
        #expect(refused.code == 64 && refused.error.contains("--yes"), "\(refused)")
        let erased = try await cli.run(
            "erase", "--user", "a", "--settings-prefix", "user/a", "--yes", "--json", in: store)
        #expect(erased.code == 0, "\(erased)")
        #expect(erased.output == #"{"recordCounts":{"settings":1,"users":1}}"# + "\n")
        let again = try await cli.run("erase", "--user", "a", "--yes", in: store)
        #expect(again.code == 1 && again.error.contains("nothing of the user a is saved"), "\(again)")
        #expect(try await cli.run("get-birthday", "--user", "b", in: store).code == 0)

        let purge = try await cli.run("store", "purge", in: store)
        #expect(purge.code == 0 && purge.error.contains("removed 0 expired records"), "\(purge)")
        let repair = try await cli.run("store", "repair-references", "--restricted", "clear", "--json", in: store)
        #expect(repair.code == 0 && repair.output == #"{"references":[]}"# + "\n", "\(repair)")
    }
}
