import ArgumentParser
import DataStoreQueries
import UserProfileKit

/// The command `store info`, which prints the size and the contents of a store.
struct StoreInfoCommand: ProgramCommand {
    /// The JSON output for a store. Sizes are in bytes, and unknown values are omitted.
    private struct Output: Encodable {
        struct Pages: Encodable {
            let pageByteCount, pageCount, freePageCount, mapByteCount: Int
            let lastTransaction: UInt64
            let readCount: Int
            let oldestReadTransaction: UInt64?
        }

        let store: String
        let file: String?
        let fileByteCount: Int?
        let format: String
        let collections: [String: Int]
        let indexes: [IndexOutput]
        let pages: Pages?

        init(_ info: StoreInfo) {
            store = info.location.description
            file = info.file
            fileByteCount = info.fileByteCount
            format = info.format
            collections = info.recordCounts
            indexes = info.indexes.map(IndexOutput.init)
            pages = info.pages.map { pages in
                Pages(
                    pageByteCount: pages.pageByteCount, pageCount: pages.pageCount, freePageCount: pages.freePageCount,
                    mapByteCount: pages.mapByteCount, lastTransaction: pages.lastTransaction,
                    readCount: pages.readCount, oldestReadTransaction: pages.oldestReadTransaction)
            }
        }
    }

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

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let info = try await session.configuration.store.info()
            switch session.format {
            case .text: try Console.write(lines(info))
            case .json: try Console.write(json: Output(info))
            }
        }
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
        return table.lines(aligned: Console.isTerminal)
    }
}
