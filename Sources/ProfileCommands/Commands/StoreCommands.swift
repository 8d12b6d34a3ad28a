import ArgumentParser

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
    static let help: CommandHelp = """
        info: Show the size and the contents of a store.

        Prints the file, its format and size, the number of records of each collection, and each index. For LMDB, also \
        prints used and free pages, and the reads of all programs: the file grows while an old one is active.

        EXAMPLE
          profile-cli store info --json | jq .collections.users
        """

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let info = try await session.location.info()
        try session.write(
            lines(info),
            json: [
                "store": info.location.description, "file": info.file, "fileByteCount": info.fileByteCount,
                "format": info.format, "collections": info.recordCounts as JSONObject,
                "indexes": info.indexes.map(\.json), "pages": info.pages.map(json),
            ])
    }

    private func json(_ pages: PageStatistics) -> JSONObject {
        [
            "pageByteCount": pages.pageByteCount, "pageCount": pages.pageCount, "freePageCount": pages.freePageCount,
            "mapByteCount": pages.mapByteCount, "lastTransaction": pages.lastTransaction,
            "readCount": pages.readCount, "oldestReadTransaction": pages.oldestReadTransaction,
        ]
    }

    private func lines(_ info: StoreInfo) -> [String] {
        var rows = [["store", info.location.description]]
        if let file = info.file { rows.append(["file", file]) }
        rows.append(["format", info.format])
        if let byteCount = info.fileByteCount { rows.append(["size", byteCount.byteCountText]) }
        if let pages = info.pages {
            let oldest = pages.oldestReadTransaction.map { ", the oldest began at transaction \($0.grouped)" }
            rows += [
                ["used pages", ((pages.pageCount - pages.freePageCount) * pages.pageByteCount).byteCountText],
                ["free pages", (pages.freePageCount * pages.pageByteCount).byteCountText],
                ["map size", pages.mapByteCount.byteCountText],
                ["transactions", pages.lastTransaction.grouped],
                ["reads", pages.readCount.grouped + (oldest ?? "")],
            ]
        }
        rows += info.recordCounts.sorted { $0.key < $1.key }.map { [$0.key, $0.value.counted("record")] }
        rows += info.indexes.map { index in
            ["index", "\(index.collection) by \(index.name), \(index.isUnique ? "unique, " : "")\(index.state)"]
        }
        var table = Table()
        return table.lines(rows)
    }
}
