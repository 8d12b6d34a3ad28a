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
        abstract: "Apply pending migrations of a store, and list all.",
        discussion: """
            Applies the migrations of this program that the store has not applied yet, as opening the store does, and \
            completes its indexes. profile-cli has migrations of its own collections only; other programs apply \
            theirs. Then prints a line for each migration of any program: the collection, the name, "breaking" or \
            "additive", and the state. With --format json each line is a JSON object. If the store does not exist, the \
            command ends with 66.

            The states are: applied; incomplete, if a program must continue it; pending. Programs that do not declare \
            a breaking migration cannot open the store. With --backup, the store is backed up first, as with \
            `store backup`. With --dry-run, pending migrations run without changing the store, and no backup is made.

            EXAMPLES
              profile-cli store migrate --dry-run
              profile-cli store migrate --backup /backups/profiles-2026-11-21
            """)

    @Flag(help: "Change nothing.")
    var dryRun = false

    @Option(help: "Back up the store to this new path first.", completion: .directory)
    var backup: String?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
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
