#if Sealing
import DataStoreCore
import DataStoreQueries
import TortureKit
import UserProfileKit
import UserProfileSealing

/// Uses an LMDB store whose collection `notes` has a unique sealed field `title`.
///
/// - `seal PATH KEY reseal [blind]`: seals all values anew, and writes `batch` now and then.
/// - `seal PATH KEY save PROCESS COUNT`: saves contested titles and titles of its own. Writes `won TITLE` for each
///   save, `lost TITLE` if another record has the title, and `failed …` otherwise.
/// - `seal PATH - count COUNT`: counts up in the records without a key, and writes `counted` for each change.
struct SealCommand {
    private struct Note: Codable, Identifiable, Sendable {
        let id: String
        var title: String
        var n: Int
    }

    private let location: StoreLocation
    private let keys: SealingKeySource?
    private var arguments: Arguments

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        let path = try arguments.text("key file")
        keys = path == "-" ? nil : .file(path)
        self.arguments = arguments
    }

    func run() throws {
        try CurrentThreadExecutor.run { [self] in
            var arguments = self.arguments
            let action = try arguments.text("action")
            let note = EntityType(
                Note.self, in: "notes", indexes: [.unique("title")], sealing: [.searchable("title")])
            let storage = try await Rendezvous.retrying {
                try await UserProfileStorage.open(
                    .lmdb(location.path), entities: keys == nil ? [] : [note], keys: keys.map { .source($0) })
            }
            switch action {
            case "reseal": try await reseal(storage, renewsBlindKey: arguments.take("blind"))
            case "save":
                let process: Int = try arguments.number("number of the process")
                try await save(storage, process, try arguments.number("number of titles"))
            case "count": try await count(storage, try arguments.number("number of changes"))
            case let action: throw Arguments.Problem(description: "the action \(action) is unknown")
            }
            await storage.close()
        }
    }

    private func reseal(_ storage: UserProfileStorage, renewsBlindKey: Bool) async throws {
        guard let keys else { throw Arguments.Problem(description: "the key file is missing") }
        Output.line("batch")
        try await Rendezvous.retrying {
            try await storage.records.reseal(with: keys, renewingBlindKey: renewsBlindKey, batchCount: 20) { _ in
                Output.line("batch")
            }
        }
    }

    private func save(_ storage: UserProfileStorage, _ process: Int, _ count: Int) async throws {
        let notes = try storage.repository(of: Note.self)
        for number in 0..<count {
            for title in ["contested-\((number + process * 5) % count)", "own-\(process)-\(number)"] {
                do {
                    try await Rendezvous.retrying {
                        try await notes.save(Note(id: "\(title) of \(process)", title: title, n: 0))
                    }
                    Output.line("won \(title)")
                } catch let error as RepositoryError where (error.underlying as? DataStoreError)?.code == .notUnique {
                    Output.line("lost \(title)")
                } catch {
                    Output.line("failed \(title) \(error)")
                }
            }
        }
    }

    private func count(_ storage: UserProfileStorage, _ count: Int) async throws {
        var remaining = count
        while remaining > 0 {
            let changed = try await Rendezvous.retrying {
                try await storage.records.write { transaction in
                    guard let entry = try transaction.records(in: Scan("notes")).randomElement(),
                        case .integer(let n)? = entry.record["n"]
                    else { return false }
                    var record = entry.record
                    record["n"] = .integer(n + 1)
                    try transaction.put(record, for: entry.key)
                    return true
                }
            }
            guard changed else { continue }
            Output.line("counted")
            remaining -= 1
        }
    }
}
#endif
