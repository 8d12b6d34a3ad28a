import DamageTesting
import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation

/// A store with a few hundred records on many pages, including overflow pages, and with free pages.
final class FilledStore: Sendable {
    static let collections = ["cities", "users"]

    let path: String
    let bytes: [UInt8]
    let records: [Key: Record]
    /// Every record that was ever written under a key.
    let versions: [Key: [Record]]

    private let directory: URL

    init(using generator: inout SeededGenerator) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "lmdb-filled-\(UUID())")
        path = directory.path
        let store = try LMDBDataStore(path: path)
        var records: [Key: Record] = [:]
        var versions: [Key: [Record]] = [:]
        let largest = [100, 400, 1200].randomElement(using: &generator) ?? 100
        for step in 0..<24 {
            let share = step == 0 ? 300 : Int.random(in: 1...40, using: &generator)
            var changes: [Key: Record?] = [:]
            for _ in 0..<share {
                let collection = FilledStore.collections.randomElement(using: &generator) ?? "users"
                let key = try Key(collection: collection, id: "id \(Int.random(in: 0..<260, using: &generator))")
                if step > 0, Int.random(in: 0..<3, using: &generator) == 0 {
                    changes[key] = .some(nil)
                } else {
                    let isLarge = Int.random(in: 0..<20, using: &generator) == 0
                    let size = Int.random(in: 0...(isLarge ? 15_000 : largest), using: &generator)
                    var record = Record.random(using: &generator)
                    record["data"] = .data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* step) })
                    changes[key] = record
                }
            }
            try await store.write { [changes] transaction in
                for (key, record) in changes.sorted(by: { $0.key < $1.key }) {
                    if let record { try transaction.put(record, for: key) } else { try transaction.remove(key) }
                }
            }
            for (key, record) in changes {
                records[key] = record
                if let record { versions[key, default: []].append(record) }
            }
        }
        await store.close()
        bytes = Array(try Data(contentsOf: directory.appending(path: "data.mdb")))
        (self.records, self.versions) = (records, versions)
    }

    /// Changes the bytes of the data file.
    @discardableResult
    func damage<Result>(_ body: (inout DataFileImage) throws -> Result) throws -> Result {
        var file = try DataFileImage(path)
        let result = try body(&file)
        try file.save()
        return result
    }

    deinit { try? FileManager.default.removeItem(at: directory) }
}
