import DataStoreCore
import DataStoreLMDB

/// `cycle PATH TIMES`: repeatedly opens a store, saves, reads, scans and releases it. Leaks accumulate, so that a leak
/// checker finds them.
///
/// Writes `done TIMES` at the end.
struct CycleCommand {
    private let path: String
    private let count: Int

    init(_ arguments: inout Arguments) throws {
        path = try arguments.text("path")
        count = try arguments.number("number of times")
    }

    func run() throws {
        try CurrentThreadExecutor.run { [self] in
            for number in 0..<count { try await use(number) }
        }
        Output.line("done \(count)")
    }

    private func use(_ number: Int) async throws {
        // The map is small because less address space is available under a leak checker.
        let store = try LMDBDataStore(path: path, options: LMDBDataStore.Options(maximumByteCount: 1 << 24))
        let key = try Key(collection: "c", id: "\(number % 10)")
        let record: Record = [
            "number": .integer(Int64(number)), "text": .string("text that does not fit into a string itself"),
            "nested": .record(["dates": .array([.date(Timestamp(seconds: 1))])]), "data": .data([1, 2, 3]),
        ]
        try await store.write { try $0.put(record, for: key) }
        // A write whose closure throws, and one that is rejected.
        for problem in [record, ["": .bool(true)]] {
            do {
                try await store.write { transaction in
                    try transaction.put(problem, for: key)
                    throw Arguments.Problem(description: "given up")
                }
            } catch is Arguments.Problem {} catch let error as DataStoreError where error.code == .invalidRecord {}
        }
        let (found, field, all) = try store.read { transaction in
            (
                try transaction.record(for: key),
                try transaction.withView(of: key) { try $0.value(of: "nested") },
                try transaction.records(in: Scan("c")).count
            )
        }
        guard found == record, field == record["nested"], all == number % 10 + 1 else {
            throw Arguments.Problem(description: "a saved record is missing")
        }
        if number % 10 == 9 {
            try await store.write { transaction in
                for id in 0..<10 { try transaction.remove(Key(collection: "c", id: "\(id)")) }
            }
        }
        // Every other store is deinitialized without being closed.
        if number.isMultiple(of: 2) { await store.close() }
    }
}
