import ArgumentParser
import UserProfileKit

/// The command `store`, which contains the subcommands for stores.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Inspect, check, back up, restore, repair, compact, copy and migrate a store.",
        discussion: """
            The commands use the same store as all others; --store selects another one.

            EXAMPLES
              profile-cli store info
              profile-cli store backup /backups/profiles
            """,
        subcommands: [
            StoreInfoCommand.self, StoreIndexes.self, StoreCheck.self, StoreBackup.self, StoreRestore.self,
            StoreCompact.self, StorePurge.self, StoreRepairReferences.self, StoreCopy.self, StoreMigrate.self,
            StoreSalvage.self, StoreRecover.self,
        ] + sealing)

    /// The subcommands for sealed fields, which need the trait `Sealing`.
    private static var sealing: [any ParsableCommand.Type] {
        #if Sealing
        [StoreSeal.self, StoreUnseal.self, StoreRekey.self, StoreReseal.self]
        #else
        []
        #endif
    }
}

/// The command `store info`, which prints the size and the contents of a store.
struct StoreInfoCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show the size and the contents of a store.",
        discussion: """
            Prints the file, its format and size, the number of records of each collection, and each index. For LMDB, \
            also prints used and free pages, and the reads of all programs: the file grows while an old one is active.

            EXAMPLE
              profile-cli store info --json | jq .collections.users
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
        commandName: "check", abstract: "Check a store for damage.",
        discussion: """
            Reads every page, record and index, and changes none of them. Other programs can use the store meanwhile. \
            An LMDB store needs permission to write to lock.mdb, except on a read-only file system.

            Prints one line for each problem, then the command that repairs it, and exits with 74. With the key of \
            sealed fields, the command also opens each sealed value.

            EXAMPLES
              profile-cli store check && profile-cli store backup /backups/profiles
              profile-cli store check --rebuild-indexes
            """)

    @Flag(help: "Rebuild the indexes of all collections first.")
    var rebuildIndexes = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    var keepsFinishedSteps: Bool { rebuildIndexes }

    func run(in session: Session) async throws {
        if rebuildIndexes {
            // This call fails if no store exists. Opening the store would create it.
            _ = try await session.location.info()
            try await ProgressLine.during { progress in
                try await session.withStorage { try await $0.records.rebuildIndexes(progress: progress.showIndex) }
            }
            if session.format == .text { Console.note("rebuilt all indexes of \(session.location)") }
        }
        let findings = try await ProgressLine.during("checking the file") { progress in
            // The number of records of a damaged store may be unknown.
            let total = progress.isShown ? try? await session.location.info().recordCounts.values.reduce(0, +) : nil
            let findings = try await session.location.check { index, count in
                // The check of records and indexes cannot be cancelled, and changes nothing.
                Interruption.exitIfInterrupted(saying: "interrupted; nothing was changed")
                progress.show(count, outOf: total, in: "checking \(index.map { "the index \($0)" } ?? "the records")")
            }
            return try await findings + options.location.findings(in: session)
        }
        try await Self.report(findings, in: session)
    }

    /// Prints the findings, then the numbers of records and indexes of an intact store.
    ///
    /// - Throws: The error of an intact store whose records cannot be counted, after its findings are printed.
    ///   ``CommandError`` if the store is damaged.
    static func report(_ findings: [String], in session: Session) async throws {
        var info: StoreInfo?
        var failure: (any Error)?
        // The indexes of a damaged store may be unknown.
        if findings.isEmpty {
            do { info = try await session.location.info() } catch { failure = error }
        }
        let advice = info?.indexes.compactMap(\.advice) ?? []
        try session.write(
            findings.map(Console.printable),
            json: [
                "store": .string(session.location.description), "isClean": .bool(findings.isEmpty),
                "findings": .array(findings.map(Value.string)),
                "oldIndexes": .array(advice.map(Value.string)),
            ])
        if let failure { throw failure }
        guard let info else { throw CommandError(.inputOutput, nextStep(for: findings, session.location)) }
        guard session.format == .text else { return }
        for sentence in advice { Console.note(sentence) }
        let count = Int64(info.recordCounts.values.reduce(0, +)).counted("record")
        let indexes = info.indexes.count == 1 ? "1 index" : "\(info.indexes.count) indexes"
        Console.note("checked \(session.location): \(count) and \(indexes), no damage found")
    }

    /// Returns a sentence that names the command that repairs the damage.
    private static func nextStep(for findings: [String], _ location: StorageLocation) -> String {
        if findings.allSatisfy({ $0.hasPrefix("an entry of the index ") || $0.hasPrefix("the index ") }) {
            return "no record is lost; run profile-cli store check --rebuild-indexes --store \(location)"
        }
        return switch location.kind.scheme {
        case "lmdb":
            "run profile-cli store restore BACKUP --store \(location), or copy the intact records with "
                + "profile-cli store salvage lmdb:NEW --store \(location)"
        case "plist":
            "run profile-cli store restore BACKUP --store \(location), or keep the intact records with "
                + "profile-cli store recover --store \(location)"
        default: "restore a backup of \(location)"
        }
    }
}
