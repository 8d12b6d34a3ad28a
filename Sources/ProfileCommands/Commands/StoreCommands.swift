import ArgumentParser
import DataStoreCore
import DataStoreQueries
import UserProfileKit

/// The command `store`, which contains the subcommands for stores.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Inspect, check, back up, repair, compact, copy and migrate a store.",
        discussion: """
            The commands use the same store as all others; --store selects another one.

            EXAMPLES
              profile-cli store info
              profile-cli store backup /backups/profiles
            """,
        subcommands: [
            StoreInfoCommand.self, StoreIndexes.self, StoreCheck.self, StoreBackup.self, StoreCompact.self,
            StoreCopy.self, StoreMigrate.self, StoreSalvage.self, StoreRecover.self,
        ])
}

/// The command `store info`, which prints the size and the contents of a store.
struct StoreInfoCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show the size and the contents of a store.",
        discussion: """
            Prints the file, its format and size, the number of records of each collection, and the state of each \
            index. For an LMDB store, also prints the size of the used and the free pages, the size up to which the \
            file can grow before it is mapped again, and the active reads of all processes. The file grows while an \
            old read is active. Sizes in JSON are in bytes. If the store does not exist, the command exits with 66.

            EXAMPLE
              profile-cli store info --format json | jq .collections.users
            """)

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let info = try await session.location.info()
        let counts = info.recordCounts.mapValues { Value?.some(.count($0)) }
        try session.write(
            lines(info),
            json: [
                "store": .string(info.location.description), "file": info.file.map(Value.string),
                "fileByteCount": info.fileByteCount.map(Value.count), "format": .string(info.format),
                "collections": .object(counts), "indexes": .array(info.indexes.map { .object($0.json) }),
                "pages": info.pages.map(json),
            ])
    }

    private func json(_ pages: PageStatistics) -> Value {
        .object([
            "pageByteCount": .count(pages.pageByteCount), "pageCount": .count(pages.pageCount),
            "freePageCount": .count(pages.freePageCount), "mapByteCount": .count(pages.mapByteCount),
            "lastTransaction": .integer(Int64(clamping: pages.lastTransaction)), "readCount": .count(pages.readCount),
            "oldestReadTransaction": pages.oldestReadTransaction.map { .integer(Int64(clamping: $0)) },
        ])
    }

    private func lines(_ info: StoreInfo) -> [String] {
        var table = Table()
        table.add(["store", info.location.description])
        if let file = info.file { table.add(["file", file]) }
        table.add(["format", info.format])
        if let byteCount = info.fileByteCount { table.add(["size", byteCount.byteCountText]) }
        if let pages = info.pages {
            table.add(["used pages", ((pages.pageCount - pages.freePageCount) * pages.pageByteCount).byteCountText])
            table.add(["free pages", (pages.freePageCount * pages.pageByteCount).byteCountText])
            table.add(["map size", pages.mapByteCount.byteCountText])
            table.add(["transactions", Int64(clamping: pages.lastTransaction).grouped])
            let oldest = pages.oldestReadTransaction.map {
                ", the oldest began at transaction \(Int64(clamping: $0).grouped)"
            }
            table.add(["reads", Int64(pages.readCount).grouped + (oldest ?? "")])
        }
        for (name, count) in info.recordCounts.sorted(by: { $0.key < $1.key }) {
            table.add([name, Int64(count).counted("record")])
        }
        for index in info.indexes {
            let kind = index.isUnique ? "unique, " : ""
            table.add(["index", "\(index.collection) by \(index.name), \(kind)\(index.state)"])
        }
        return table.lines()
    }
}

/// The command `store check`, which checks a store and can rebuild its indexes.
struct StoreCheck: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a store for damage.",
        discussion: """
            Reads every page, every record of every collection, and every index. The command changes nothing, and \
            other programs can use the store at the same time. It prints one line for each problem and then exits with \
            74. If the store is not damaged, it prints no line, and standard error reports how many records and \
            indexes were checked.

            With --rebuild-indexes, the command first rebuilds the indexes of all collections, in steps, and builds \
            missing ones. Other programs can use the store at the same time.

            EXAMPLES
              profile-cli store check && profile-cli store backup /backups/profiles
              profile-cli store check --rebuild-indexes
            """)

    @Flag(help: "Rebuild the indexes of all collections first.")
    var rebuildIndexes = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        if rebuildIndexes {
            // This call fails if no store exists. Opening the store would create it.
            _ = try await session.location.info()
            await Interruption.install()
            let progress = ProgressLine(of: "record")
            defer { progress.clear() }
            try await session.withStorage { try await $0.records.rebuildIndexes(progress: progress.showIndex) }
            progress.clear()
            Console.error("rebuilt all indexes of \(session.location)")
        }
        let progress = ProgressLine(of: "record")
        defer { progress.clear() }
        progress.show("checking the file")
        let findings = try await session.location.check { index, count in
            progress.show(Int64(count), of: nil, in: "checking \(index.map { "the index \($0)" } ?? "the records")")
        }
        progress.clear()
        Interruption.exitIfInterrupted()
        try session.write(
            findings.map(Console.printable),
            json: [
                "store": .string(session.location.description), "isClean": .bool(findings.isEmpty),
                "findings": .array(findings.map(Value.string)),
            ])
        guard findings.isEmpty else {
            Console.error(nextStep(for: findings, session.location))
            throw ExitCode.inputOutput
        }
        let info = try await session.location.info()
        let count = Int64(info.recordCounts.values.reduce(0, +)).counted("record")
        let indexes = info.indexes.count == 1 ? "1 index" : "\(info.indexes.count) indexes"
        Console.error("checked \(session.location): \(count) and \(indexes), no damage found")
    }

    /// Returns a sentence that names the command that repairs the damage.
    private func nextStep(for findings: [String], _ location: StorageLocation) -> String {
        if findings.allSatisfy({ $0.hasPrefix("an entry of the index ") || $0.hasPrefix("the index ") }) {
            return "no record is lost; run profile-cli store check --rebuild-indexes --store \(location)"
        }
        return switch location.kind.scheme {
        case "lmdb": "to copy the intact records, run profile-cli store salvage lmdb:NEW --store \(location)"
        case "plist": "to keep the intact records, run profile-cli store recover --store \(location)"
        default: "restore a backup"
        }
    }
}
