import DataStoreCore

/// `first PATH ROOM BYTES...`: creates a store in a separate directory for each number of free bytes, and again when
/// space is available.
///
/// Writes `rejected CODE ERRNO`, then `kept N`, `again` and `kept N`.
struct FirstSaveCommand {
    private let location: StoreLocation
    private let diskSpace: DiskSpace
    private var byteCounts: [Int] = []

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        diskSpace = DiskSpace(try arguments.text("room"))
        while let count: Int = try arguments.nextNumber("number of bytes") { byteCounts.append(count) }
    }

    func run() throws {
        for byteCount in byteCounts {
            try CurrentThreadExecutor.run {
                try await makeStore(at: location.within("\(byteCount)"), leaving: byteCount)
            }
        }
    }

    private func makeStore(at location: StoreLocation, leaving byteCount: Int) async throws {
        let key = try Key(collection: "c", id: "first")
        let record: Record = ["data": .data(Array(repeating: 7, count: 120_000))]
        let store = try location.open()
        diskSpace.occupy(leaving: byteCount, beyond: location.path)
        try await FillCommand.trySave(record, for: key, in: store)
        try await FillCommand.compare(store, [:])
        diskSpace.release()
        try await FillCommand.save(record, for: key, in: store)
        Output.line("again")
        await store.close()
        let reopened = try location.open()
        try await FillCommand.compare(reopened, [key: record])
        await reopened.close()
    }
}
