import Testing

extension DataStoreConformance {
    static let modelCases: [DataStoreConformance] = [
        .init(locations: "random operations have the same results as in a dictionary") { makeSubject in
            for _ in 0..<count(2, full: 10) {
                var generator = SeededGenerator(printedFor: "random operations")
                let operations = try (0..<120).map { _ in try Operation.random(using: &generator) }
                guard let failure = try await operations.failure(makeSubject) else { continue }
                let shortest = try await operations.shrunk(makeSubject)
                Issue.record(
                    """
                    seed \(generator.seed): \(failure)
                    The shortest sequence that fails:
                    \(shortest.map { "\($0)" }.joined(separator: "\n"))
                    """)
            }
        }
    ]
}

/// These functions compare a store with a dictionary: both execute the same sequence of operations.
extension [Operation] {
    /// Returns the first operation whose results in the store and in the dictionary differ, and a description of the
    /// difference. Returns `nil` if no results differ.
    fileprivate func failure(_ makeSubject: DataStoreConformance.MakeSubject) async throws -> String? {
        let subject = try await makeSubject()
        var store = try await subject.open()
        var model: [Key: Record] = [:]
        for (number, operation) in enumerated() {
            if case .reopen = operation {
                store = try await subject.reopen(store)
            } else if let difference = await operation.difference(store, &model) {
                await store.close()
                return "step \(number), \(operation): \(difference)"
            }
        }
        await store.close()
        return nil
    }

    /// Reduces a failing sequence to the operations that reproduce the failure.
    fileprivate func shrunk(_ makeSubject: DataStoreConformance.MakeSubject) async throws -> [Operation] {
        var operations = self
        for index in operations.indices.reversed() {
            var candidate = operations
            candidate.remove(at: index)
            if try await candidate.failure(makeSubject) != nil { operations = candidate }
        }
        return operations
    }
}

extension Operation {
    fileprivate func difference(_ store: any DataStore, _ model: inout [Key: Record]) async -> String? {
        do {
            switch self {
            case .reopen: return nil
            case .scan(let scan):
                let found = try await store.read { try $0.records(in: scan) }
                let expected = Self.records(of: scan, in: model)
                return found == expected ? nil : "returned \(found), not \(expected)"
            case .write(let changes, let throwing):
                do {
                    let difference = try await store.write { [model] transaction in
                        let difference = try Self.difference(applying: changes, to: &transaction, model)
                        if throwing, difference == nil { throw Interruption(number: 0) }
                        return difference
                    }
                    if throwing || difference != nil { return difference ?? "did not throw" }
                    for (key, record) in changes { model[key] = record }
                } catch is Interruption where throwing {}
                for (key, _) in changes {
                    let record = try await store.record(for: key)
                    guard record == model[key] else { return "\(key) is \(record as Any), not \(model[key] as Any)" }
                }
                return nil
            }
        } catch {
            return "failed: \(error)"
        }
    }

    /// Applies changes in a transaction, which must see each of them at once.
    private static func difference(
        applying changes: [Change], to transaction: inout WriteTransaction, _ model: [Key: Record]
    ) throws -> String? {
        var model = model
        for (key, record) in changes {
            if let record {
                try transaction.put(record, for: key)
            } else if try transaction.remove(key) != (model[key] != nil) {
                return "returned that \(key) \(model[key] == nil ? "exists" : "does not exist")"
            }
            model[key] = record
            let scan = Scan(stored: key.collection)
            let (found, exists) = (try transaction.record(for: key), try transaction.contains(key))
            guard found == record, exists == (record != nil),
                try transaction.records(in: scan) == records(of: scan, in: model)
            else { return "does not see its change of \(key)" }
        }
        return nil
    }

    private static func records(of scan: Scan, in model: [Key: Record]) -> [Entry] {
        var records = model.filter { key, _ in
            key.collection.utf8.elementsEqual(scan.collection.utf8) && scan.ids.contains(key.id)
        }.map { Entry(key: $0.key, record: $0.value) }.sorted { $0.key < $1.key }
        if scan.isReversed { records.reverse() }
        return Array(records.prefix(scan.limit ?? .max))
    }
}
