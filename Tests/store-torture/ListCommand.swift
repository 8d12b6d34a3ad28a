import DataStoreCore
import TortureKit

/// `list PATH`: lists the records that `outcomes` has saved.
///
/// Writes `left ID` and `right ID` for each, and `steps N`, the value of the counter.
struct ListCommand {
    private let location: StoreLocation

    init(_ arguments: inout Arguments) throws { location = try arguments.location() }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run {
            let (ids, counter) = try await store.read { transaction in
                var ids: [String] = []
                for collection in ["left", "right"] {
                    try transaction.forEach(in: Scan(collection)) { key, _ in
                        ids.append("\(collection) \(key.id)")
                        return .next
                    }
                }
                return (ids, try transaction.record(for: Key(collection: "shared", id: "steps")))
            }
            for id in ids { Output.line(id) }
            if case .integer(let count) = counter?["count"] { Output.line("steps \(count)") }
            await store.close()
        }
    }
}
