import DataStoreCore
import DataStoreQueries
import Foundation
import Testing

/// Tests of `store migrate`, and of the other commands on a store that another program has migrated.
@Suite struct StoreMigrateTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Applies migrations as another program does.
    private func migrate(_ kind: StoreKind, _ migrations: [Migration]) async throws {
        _ = try await cli.using(kind) { store in
            try await SchemaStore(store, schema: Schema([], migrations: migrations)).migrate()
        }
    }

    @Test("Migrations of other programs are listed, and the other commands work", arguments: StoreKind.allCases)
    func list(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        #expect(try await cli.run("set-birthday", "2011-08-01", in: store).code == 0)
        try await cli.fillTrips(kind, 3)
        let none = try await cli.run("store", "migrate", in: store)
        #expect(none.code == 0 && none.output.isEmpty && none.error.isEmpty, "\(none)")
        try await migrate(
            kind,
            [
                .backfill("a field", of: "trips", "m", with: .integer(1)),
                .renameField("a name", of: "trips", "m", to: "n"),
            ])
        let lines = ["trips\ta field\tadditive\tapplied", "trips\ta name\tbreaking\tapplied"]
        for arguments in [["--dry-run"], [], ["--backup", cli.directory.appending(path: "backup").path]] {
            let outcome = try await cli.run(["store", "migrate"] + arguments, in: store)
            #expect(outcome.code == 0 && outcome.lines == lines && outcome.error.isEmpty, "\(outcome)")
        }
        let json = try await cli.run("store", "migrate", "--format", "json", in: store)
        #expect(json.lines.count == 2 && json.output.contains("\"isAdditive\":true"), "\(json)")
        let exists = try await cli.run(
            "store", "migrate", "--backup", cli.directory.appending(path: "backup").path, in: store)
        #expect(exists.code == 73 && exists.isOneSentence, "\(exists)")
        let birthday = try await cli.run("get-birthday", in: store)
        #expect(birthday.output.hasPrefix("2011-08-01"), "\(birthday)")
        #expect(try await cli.run("store", "check", in: store).code == 0)
        #expect(try await cli.run("store", "info", in: store).lines.contains("trips\t3 records"))
        // The collection of this program.
        try await migrate(kind, [Migration("newer", of: "users") { record, _ -> Record? in record }])
        for arguments in [["set-mail", "vision@example.com"], ["get-birthday"]] {
            let refused = try await cli.run(arguments, in: store)
            #expect(refused.code == 74 && refused.isOneSentence && refused.error.contains("\"newer\""), "\(refused)")
        }
        #expect(try await cli.run("store", "info", in: store).code == 0)
    }

    @Test("A missing store exits with 66, and memory with 65")
    func missingStore() async throws {
        for kind in StoreKind.allCases {
            let outcome = try await cli.run("store", "migrate", in: cli.store(kind, "nothing"))
            #expect(outcome.code == 66 && outcome.isOneSentence, "\(outcome)")
        }
        #expect(try await cli.run("store", "migrate", in: .memory).code == 65)
    }
}
