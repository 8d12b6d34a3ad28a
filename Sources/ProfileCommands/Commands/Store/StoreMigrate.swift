import ArgumentParser
import DataStoreQueries
import UserProfileKit

/// The command `store migrate`, which applies pending migrations of a store and lists all migrations.
struct StoreMigrate: ProgramCommand {
    /// The JSON output for a migration.
    private struct Output: Encodable {
        let collection, name: String
        let isAdditive: Bool
        let state: String
        let recordCount: Int?

        init(_ migration: StoredMigration) {
            collection = migration.collection
            name = migration.name
            isAdditive = migration.isAdditive
            state = "\(migration.state)"
            recordCount = migration.recordCount
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Apply pending migrations of a store, and list all migrations.",
        discussion: """
            Applies the pending migrations of this program, as opening the store does, and builds missing indexes. \
            profile-cli has migrations of its own collections only; other programs apply theirs. Then prints one line \
            for each migration of all programs: the collection, the name, "breaking" or "additive", and the state. \
            With --format json each line is a JSON object. If the store does not exist, the command exits with 66.

            The states are: applied; incomplete, if a program must continue the migration; pending. A program that \
            does not declare an applied breaking migration cannot open the store. With --backup, the command first \
            backs up the store, as `store backup` does. With --dry-run, it runs pending migrations without changing \
            the store, and makes no backup.

            EXAMPLES
              profile-cli store migrate --dry-run
              profile-cli store migrate --backup /backups/profiles-2026-11-21
            """)

    @Flag(help: "Run pending migrations without changing the store.")
    var dryRun = false

    @Option(help: "Back up the store to this new path first.", completion: .directory)
    var backup: String?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            if let backup {
                try StorageLocation(kind: location.kind, address: backup).requireParentDirectory()
            }
            let pending = try await location.migrate([], backingUpTo: backup, dryRun: dryRun)
            if let backup, !dryRun { session.note("backed up \(location) to \(backup)") }
            let migrations = try await location.migrations() + (dryRun ? pending : [])
            switch session.format {
            case .text:
                var table = Table()
                for migration in migrations {
                    let kind = migration.isAdditive ? "additive" : "breaking"
                    table.add([migration.collection, migration.name, kind, "\(migration.state)"])
                }
                try Console.write(table.lines(aligned: Console.isTerminal))
            case .json: try Console.write(json: migrations.map(Output.init))
            }
        }
    }
}
