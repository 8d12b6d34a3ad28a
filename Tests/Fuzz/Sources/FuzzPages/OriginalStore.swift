import DataStoreCore
import DataStoreLMDB
import FoundationEssentials

/// An intact store with a branch page, large values and free pages.
struct OriginalStore: Sendable {
    static let collections = ["cities", "users"]

    /// The directory of the damaged copies.
    let directory: String
    let bytes: [UInt8]
    /// The records of the last transaction.
    let records: [Key: Record]
    /// Every record that was ever written with a key.
    let versions: [Key: [Record]]

    /// Writes the store in several transactions, of which the later ones replace and remove records.
    static func make() async -> OriginalStore {
        do {
            let directory = FileManager.default.temporaryDirectory.appending(path: "fuzz-pages-\(UUID())").path
            let store = try LMDBDataStore(path: directory)
            var (records, versions): ([Key: Record], [Key: [Record]]) = ([:], [:])
            for round in 0..<4 {
                var changes: [Key: Record?] = [:]
                // Few and large records, because each read verifies the pages that it uses.
                for number in 0..<20 where round == 0 || number % 7 == round {
                    let key = try Key(collection: collections[number % 2], id: "id \(number)")
                    // In the second round, records are removed.
                    let size = number == 11 ? 9000 : 300 + number * 30
                    let record: Record = [
                        "round": .integer(Int64(round)), "data": .data(Array(repeating: UInt8(number), count: size)),
                    ]
                    changes[key] = .some(round == 1 ? nil : record)
                    records[key] = round == 1 ? nil : record
                    if round != 1 { versions[key, default: []].append(record) }
                }
                try await store.write { [changes] transaction in
                    for (key, record) in changes.sorted(by: { $0.key < $1.key }) {
                        if let record { try transaction.put(record, for: key) } else { try transaction.remove(key) }
                    }
                }
            }
            await store.close()
            let bytes = Array(try Data(contentsOf: URL(filePath: "\(directory)/data.mdb")))
            return OriginalStore(directory: directory, bytes: bytes, records: records, versions: versions)
        } catch {
            fatalError("the intact store cannot be written: \(error)")
        }
    }

    /// Writes a damaged data file in place of the store, without a lock file.
    func replace(by bytes: [UInt8]) {
        do {
            try FileManager.default.removeItem(atPath: directory)
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: "\(directory)/data.mdb"))
        } catch {
            fatalError("a damaged store cannot be written: \(error)")
        }
    }
}
