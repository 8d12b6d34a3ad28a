import ArgumentParser
import DataStoreCore
import DataStoreQueries
import UserProfileKit

/// The command `store indexes`, which contains the subcommands for indexes.
struct StoreIndexes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes",
        abstract: "List the indexes of a store, or remove one.",
        discussion: """
            Programs declare indexes for users, forecasts and other entities. Without a subcommand, the command lists \
            the indexes that all programs have declared.

            EXAMPLES
              profile-cli store indexes
              profile-cli store indexes drop trips title
            """,
        subcommands: [StoreIndexesList.self, StoreIndexesDrop.self], defaultSubcommand: StoreIndexesList.self)
}

/// The command `store indexes list`, which lists the indexes of a store.
struct StoreIndexesList: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the indexes of a store.",
        discussion: """
            Prints one line for each index of all collections: the collection, the index, "unique" or "-", the state, \
            and the number of entries. With --format json each line is a JSON object. If the store does not exist, the \
            command exits with 66.

            The states are: ready; incomplete, while the index is being built; invalid, if it must be rebuilt; \
            unknown, if a newer version of the library declared it. Queries use only indexes that are ready. A \
            property list stores unique indexes only.

            EXAMPLE
              profile-cli store indexes list --format json | jq -r 'select(.isUnique) | .name'
            """)

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let indexes = try await session.location.indexes()
        try session.write(
            indexes, in: Table(rightAligned: [4]),
            cells: { index in
                let count = index.entryCount.map { "\($0)" } ?? "-"
                return [index.collection, index.name, index.isUnique ? "unique" : "-", "\(index.state)", count]
            }, json: \.json)
    }
}

extension StoredIndex {
    /// The members of the JSON output. The number of entries is omitted if it is unknown.
    var json: [String: Value?] {
        [
            "collection": .string(collection), "name": .string(name), "isUnique": .bool(isUnique),
            "state": .string("\(state)"), "entryCount": entryCount.map(Value.count),
        ]
    }
}

/// The command `store indexes drop`, which removes an index.
struct StoreIndexesDrop: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Remove an index from a store.",
        discussion: """
            Removes the index and its entries, but no records. Without a unique index, several records can have the \
            same value. A program that declares the index builds it again, so change such programs first. If the store \
            has no such index, the command exits with 1.

            EXAMPLE
              profile-cli store indexes drop trips title
            """)

    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Argument(help: "The index, as `store indexes` prints it, e.g. title.")
    var index: String

    @OptionGroup(title: "Common Options") var options: LocationOptions

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

    func run(in session: Session) async throws {
        if let backup {
            try StorageLocation(kind: session.location.kind, address: backup).requireParentDirectory()
        }
        let pending = try await session.location.migrate([], backingUpTo: backup, dryRun: dryRun)
        if let backup, !dryRun { session.note("backed up \(session.location) to \(backup)") }
        let migrations = try await session.location.migrations() + (dryRun ? pending : [])
        try session.write(migrations) { migration in
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
