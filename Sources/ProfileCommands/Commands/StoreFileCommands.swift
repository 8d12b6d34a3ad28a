import ArgumentParser
import DataStoreSystem
import UserProfileKit

/// The command `store backup`, which copies a store while it is in use.
struct StoreBackup: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up a store while it is in use.",
        discussion: """
            Writes one snapshot of the store: for an LMDB store, a directory without free pages; for a property list, \
            an identical copy of the file. The backup can be used as a store. It appears under its name when it is \
            complete, and is durable when the command exits. A damaged store is not backed up. If the path exists, the \
            command exits with 73. Standard error reports the size of the backup.

            EXAMPLE
              profile-cli store backup /backups/profiles-2026-11-21
            """)

    @Argument(help: "The path of the new directory or file.", completion: .directory)
    var path: String

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in session: Session) async throws {
        try StorageLocation(kind: session.location.kind, address: path).requireParentDirectory()
        try await session.location.backUp(to: path)
        let stamp = try session.location.kind.dataFile(at: path).flatMap { file in try FileStamp.of(path: file) }
        let size = stamp.map { " (\(Int($0.status.size).byteCountText))" } ?? ""
        Console.error("backed up \(session.location) to \(path)\(size)")
    }
}

/// The command `store compact`, which removes deleted values from a store.
struct StoreCompact: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Rewrite a store without deleted values.",
        discussion: """
            An LMDB store keeps deleted and replaced values in free pages until later saves reuse them. This command \
            replaces the data file with a verified copy without free pages. Close all other programs that use the \
            store first; otherwise the command exits with 75 and changes nothing. If the command is killed, the store \
            has either the old or the new file. The disk blocks of the old file are not overwritten.

            A property list does not change, because each save writes the whole file without deleted values.

            EXAMPLE
              profile-cli delete --user vision --yes && profile-cli store compact
            """)

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in session: Session) async throws {
        try await session.location.compact()
        session.note("compacted \(session.location)")
    }
}

/// The command `store copy`, which copies all records to another store.
struct StoreCopy: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a store to another store of any kind.",
        discussion: """
            Copies one snapshot of all records of all collections, and verifies the copy before the commit. Also \
            copies the definitions of all indexes, so that unique fields stay unique. Other programs see either the \
            whole copy or nothing of it: a failure, Ctrl-C or kill -9 leaves the target unchanged. If the target has \
            records, the command exits with 73. With --replace, its records and indexes are removed in the same \
            transaction.

            EXAMPLES
              profile-cli store copy lmdb:profiles plist:profiles.plist
              profile-cli store copy plist:profiles.plist lmdb:profiles --replace
            """)

    @Argument(help: "The store to copy: lmdb:PATH, plist:PATH or postgres://…", completion: Completion.store)
    var from: String

    @Argument(help: "The target: lmdb:PATH, plist:PATH or postgres://…", completion: Completion.store)
    var to: String

    @Flag(help: "Replace the contents of the target.")
    var replace = false

    @OptionGroup(title: "Common Options") var options: VerbosityOptions

    func run(in session: Session) async throws {
        let source = try StorageLocation(from, kinds: session.program.stores)
        let target = try StorageLocation(to, kinds: session.program.stores)
        try target.requireParentDirectory()
        await Interruption.install()
        let line = ProgressLine(of: "record")
        defer { line.clear() }
        let count = try await source.copy(to: target, replacing: replace) { count in
            line.show("\(Int64(count).counted("record"))")
        }
        line.end("copied and verified \(Int64(count).counted("record"))")
    }
}

/// The command `store salvage`, which copies the intact records of a damaged LMDB store to another store.
struct StoreSalvage: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Copy the intact records of a damaged LMDB store to another store.",
        discussion: """
            Searches all pages of the store that --store selects for records. Copies the intact records and the \
            definitions of indexes to the target, a store of any kind. The damaged store is not changed; stop the \
            programs that write to it. The target keeps its own records, so you can repeat the command.

            Prints one line for each damaged page and each lost record, and exits with 74 if there are any. Standard \
            error reports the number of copied records.

            EXAMPLE
              profile-cli store salvage lmdb:new --store lmdb:damaged
            """)

    @Argument(help: "The target: lmdb:PATH or plist:PATH.", completion: Completion.store)
    var target: String

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in session: Session) async throws {
        let target = try StorageLocation(target, kinds: session.program.stores)
        try target.requireParentDirectory()
        await Interruption.install()
        let summary = try await session.location.salvage(into: target)
        try Console.write(summary.losses.map(Console.printable))
        Console.error("copied \(Int64(summary.savedCount).counted("record")) from \(session.location) to \(target)")
        if !summary.losses.isEmpty { throw ExitCode.inputOutput }
    }
}

/// The command `store recover`, which replaces a damaged property list with a file of its intact records.
struct StoreRecover: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Restore a damaged property list from its intact parts.",
        discussion: """
            Replaces the property list with a file that contains its intact records and the intact entries of other \
            programs. The damaged file is kept in the same directory as NAME.damaged-1, or with the next free number. \
            An intact file is not changed.

            Prints one line for each damaged part. If records or entries are lost, the command exits with 74. Standard \
            error reports the number of records in the file. For an LMDB store, use `store salvage`.

            EXAMPLE
              profile-cli store recover --store plist:profiles.plist
            """)

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in session: Session) async throws {
        let summary = try await session.location.recover()
        try Console.write(summary.losses.map(Console.printable))
        let count = Int64(summary.savedCount).counted("record")
        if let file = summary.damagedFile {
            Console.error("recovered \(session.location) with \(count); the damaged file is kept at \(file)")
        } else {
            Console.error("\(session.location) is not damaged: \(count)")
        }
        if !summary.losses.isEmpty { throw ExitCode.inputOutput }
    }
}
