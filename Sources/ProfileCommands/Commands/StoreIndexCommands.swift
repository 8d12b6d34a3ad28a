import ArgumentParser
import UserProfileKit

/// The command `store indexes`, which contains the subcommands for indexes.
struct StoreIndexes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes", abstract: "List the indexes of a store, or remove one.",
        discussion: """
            Without a subcommand, lists the indexes that all programs have declared.

            EXAMPLES
              profile-cli store indexes
              profile-cli store indexes drop trips title
            """,
        subcommands: [StoreIndexesList.self, StoreIndexesDrop.self], defaultSubcommand: StoreIndexesList.self)
}

/// The command `store indexes list`, which lists the indexes of a store.
struct StoreIndexesList: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the indexes of a store.",
        discussion: """
            Prints collection, index, "unique" or "-", state, and number of entries. The states are ready, incomplete \
            while it is being built, invalid if it must be rebuilt, and unknown if a newer library declared it.

            If two indexes have two forms of one field, e.g. after a property has changed its type, a note names the \
            command that removes the older one.

            EXAMPLE
              profile-cli store indexes list --json | jq -r 'select(.isUnique) | .name'
            """)

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let indexes = try await session.location.indexes()
        try session.write(
            indexes, in: Table(header: ["collection", "index", "unique", "state", "entries"], rightAligned: [4]),
            cells: { index in
                let count = index.entryCount.map { "\($0)" } ?? "-"
                return [index.collection, index.name, index.isUnique ? "unique" : "-", "\(index.state)", count]
            }, json: \.json)
        guard session.format == .text else { return }
        for sentence in indexes.compactMap(\.advice) { Console.note(sentence) }
    }
}

extension IndexReport {
    /// The members of the JSON output. The number of entries is omitted if it is unknown.
    var json: [String: Value?] {
        [
            "collection": .string(collection), "name": .string(name), "isUnique": .bool(isUnique),
            "state": .string("\(state)"), "entryCount": entryCount.map(Value.count),
            "advice": advice.map(Value.string),
        ]
    }
}

/// The command `store indexes drop`, which removes an index.
struct StoreIndexesDrop: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Remove an index from a store.",
        discussion: """
            Removes the index and its entries, but no records. First change the programs that declare the index, \
            because they build it again.

            EXAMPLE
              profile-cli store indexes drop trips title
            """)

    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Argument(help: "The index, as `store indexes` prints it, e.g. title.")
    var index: String

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        guard try await session.location.removeIndex(of: collection, named: index) else {
            throw CommandError(.notSaved, "the collection \(collection) has no index \(index)")
        }
        session.note("removed the index \(index) of \(collection) from \(session.location)")
    }
}

/// The command `store migrate`, which applies pending migrations of a store and lists all migrations.
struct StoreMigrate: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Apply pending migrations of a store, and list all migrations.",
        discussion: """
            Applies the pending migrations of the collections of profile-cli; other programs apply theirs. Then lists \
            the migrations of all programs: collection, name, "breaking" or "additive", and state. With --dry-run, \
            changes nothing.

            EXAMPLES
              profile-cli store migrate --dry-run
              profile-cli store migrate --backup /backups/profiles-2026-11-21
            """)

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
                progress.show(count, outOf: nil, in: operation)
            }
        }
        if let backup { session.note("backed up \(session.location) to \(backup)") }
        let migrations = try await session.location.migrations() + (dryRun ? pending : [])
        try session.write(migrations, in: Table(header: ["collection", "migration", "kind", "state"])) { migration in
            let kind = migration.isAdditive ? "additive" : "breaking"
            return [migration.collection, migration.name, kind, "\(migration.state)"]
        } json: { migration in
            [
                "collection": .string(migration.collection), "name": .string(migration.name),
                "isAdditive": .bool(migration.isAdditive), "state": .string("\(migration.state)"),
                "recordCount": migration.recordCount.map(Value.count),
            ]
        }
    }
}
