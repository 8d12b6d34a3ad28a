import DataStoreCore
import DataStoreLMDB

/// `first PATH ROOM BYTES...`: makes a store in a directory of its own for each number of bytes that are left, and again
/// when there is room.
///
/// Writes `refused CODE ERRNO`, then `kept N`, `again` and `kept N`.
struct FirstSaveCommand {
    private let path: String
    private let room: Room
    private var byteCounts: [Int] = []

    init(_ arguments: inout Arguments) throws {
        path = try arguments.text("path")
        room = Room(try arguments.text("room"))
        while let count: Int = try arguments.nextNumber("number of bytes") { byteCounts.append(count) }
    }

    func run() throws {
        for byteCount in byteCounts {
            try ThisThread.run { try await makeStore(at: "\(path)/\(byteCount)", leaving: byteCount) }
        }
    }

    private func makeStore(at path: String, leaving byteCount: Int) async throws {
        let key = try Key(collection: "c", id: "first")
        let record: Record = ["data": .data(Array(repeating: 7, count: 120_000))]
        let store = try LMDBDataStore(path: path)
        room.take(leaving: byteCount, beyond: path)
        try await FillCommand.trySave(record, for: key, in: store)
        try await FillCommand.compare(store, [:])
        room.give()
        try await FillCommand.save(record, for: key, in: store)
        Output.line("again")
        await store.close()
        let reopened = try LMDBDataStore(path: path)
        try await FillCommand.compare(reopened, [key: record])
        await reopened.close()
    }
}
