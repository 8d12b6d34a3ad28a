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
