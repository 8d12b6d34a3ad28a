import DataStoreCore
import DataStoreLMDB
import Testing

/// Tests of records that are read in place, one field at a time.
@Suite struct StoredRecordTests {
    private let subject: LMDBSubject
    private let key: Key

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "id")
    }

    @Test(
        "A field is found behind values of each type",
        arguments: [
            Value.date(Timestamp(seconds: 1)), .date(Timestamp(seconds: 1, nanoseconds: 2) ?? Timestamp(seconds: 1)),
            .array([]), .record([:]), .string("text"), .data([1]), .real(1.1), .integer(-1000), .bool(true),
        ])
    func skippedFields(_ value: Value) async throws {
        let store = try await subject.open()
        for depth in [0, 1, Record.maximumDepth - 1, Record.maximumDepth] {
            if depth == Record.maximumDepth, value == .array([]) || value == .record([:]) { continue }
            let nested = (0..<depth).reduce(value) { value, level in
                level.isMultiple(of: 2) ? .array([value]) : .record(["v": value])
            }
            try await store.write { [key] in try $0.put(["a": nested, "b": .integer(7)], for: key) }
            let found = try await store.read { transaction in
                try transaction.withView(of: key) { view in
                    [try view.value(of: "b"), try view.value(of: "a"), try view.value(of: "c")]
                }
            }
            #expect(found == [.integer(7), nested, nil], "at a depth of \(depth)")
        }
        await store.close()
    }

    @Test("Fields are found in any order, with missing ones in between")
    func orderOfReads() async throws {
        let store = try await subject.open()
        let long = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        let record: Record = [
            "a": .string("1"), "c": .integer(2), "bb": .string(String(repeating: "v", count: 300)), "dd": .string("é"),
            "dddd": .string("4"), "eeeeeeeee": .string("5"), long: .string("3"),
        ]
        try await store.write { [key] in try $0.put(record, for: key) }
        // Some missing names differ from an existing one in the first or the last byte.
        let names = [
            "a", "b", "c", "bb", "cc", "dd", "ccc", "dddd", "dddb", "eeeeeeeee", "feeeeeeee", "eeeeeeeef", long,
        ]
        for shift in 0..<names.count {
            for order in [names, names.reversed()] {
                let order = Array(order[shift...] + order[..<shift])
                let found = try await store.read { [key] transaction in
                    try transaction.withView(of: key) { view in try StoredRecordTests.read(order, from: view) }
                }
                #expect(found?.0 == order.map { record[$0] })
                #expect(found?.1 == record)
            }
        }
        await store.close()
    }

    /// Returns the values of the named fields, and the whole record.
    private static func read(_ names: [String], from view: borrowing RecordView) throws -> ([Value?], Record) {
        var values: [Value?] = []
        for name in names { values.append(try view.value(of: name)) }
        return (values, try view.record())
    }
}
