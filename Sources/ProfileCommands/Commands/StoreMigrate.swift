import ArgumentParser

/// The command `store migrate`, which applies pending migrations of a store and lists all migrations.
struct StoreMigrate: ProgramCommand {
    static let help: CommandHelp = """
        migrate: Apply pending migrations of a store, and list all migrations.

        Applies the pending migrations of the collections of profile-cli; other programs apply theirs. Then lists the \
        migrations of all programs: collection, name, "breaking" or "additive", and state. With --dry-run, changes \
        nothing.

        EXAMPLES
          profile-cli store migrate --dry-run
          profile-cli store migrate --backup /backups/profiles-2026-11-21
        """

    @Flag(name: [.long, .customShort("n")], help: "Run pending migrations without changing the store.")
    var dryRun = false

    @Option(help: "Back up the store to this new path first.", completion: .directory)
    var backup: String?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    var keepsFinishedSteps: Bool { !dryRun }

    func validate() throws {
        if dryRun, backup != nil { throw UsageError("--dry-run and --backup cannot be combined") }
    }

    func run(in session: Session) async throws {
        if let backup {
            try StorageLocation(kind: session.location.kind, address: backup).requireParentDirectory()
        }
        let pending = try await ProgressLine.during { progress in
            try await session.location.migrate([], backingUpTo: backup, dryRun: dryRun) { operation, count in
                progress.show(count, in: operation)
            }
        }
        if let backup { session.note("backed up \(session.location) to \(backup)") }
        let migrations = try await session.location.migrations() + (dryRun ? pending : [])
        try session.write(migrations, in: Table(header: ["collection", "migration", "kind", "state"])) { migration in
            let kind = migration.isAdditive ? "additive" : "breaking"
            return [migration.collection, migration.name, kind, "\(migration.state)"]
        } json: { migration in
            [
                "collection": migration.collection, "name": migration.name, "isAdditive": migration.isAdditive,
                "state": "\(migration.state)", "recordCount": migration.recordCount,
            ]
        }
    }
}
