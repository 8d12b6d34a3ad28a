import DataStoreCore
import Testing
import UserProfileData

/// Tests of arrays of nested records, as a mapping written by hand reads them.
@Suite struct RecordElementsTests {
    private struct Rejected: Error {}

    private func read<Result>(
        _ record: Record, isEncoded: Bool, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result {
        if isEncoded { try body(RecordView(encoding: record)) } else { try body(RecordView(record)) }
    }

    private func stop(_ name: String) -> Value { .record(["name": .string(name)]) }

    @Test("Arrays within nested records are read", arguments: [false, true])
    func nested(_ isEncoded: Bool) throws {
        let legs: [Value] = [
            .record(["from": .string("Oslo"), "stops": .array([stop("a"), stop("b")])]),
            .record(["from": .string("Bergen"), "stops": .array([])]),
        ]
        let texts = try read(["legs": .array(legs), "title": .string("north")], isEncoded: isEncoded) { view in
            let legs = try view.requiredElements("legs") { leg in
                let stops = try leg.requiredElements("stops") { try $0.required("name", as: String.self) }
                return try leg.required("from") + ": " + stops.joined(separator: ", ")
            }
            return legs + [try view.required("title")]
        }
        #expect(texts == ["Oslo: a, b", "Bergen: ", "north"])
    }

    @Test("After an error of the closure, the record can be read", arguments: [false, true])
    func rejected(_ isEncoded: Bool) throws {
        let record: Record = ["stops": .array([stop("a"), stop("b")]), "title": .string("north")]
        let title: String = try read(record, isEncoded: isEncoded) { view in
            #expect(throws: Rejected.self) {
                try view.requiredElements("stops") { stop in
                    if try stop.required("name") == "b" { throw Rejected() }
                }
            }
            return try view.required("title")
        }
        #expect(title == "north")
    }

    @Test("An error names the field, or the element that is no record", arguments: [false, true])
    func errors(_ isEncoded: Bool) throws {
        let records: [(Record, String)] = [
            ([:], "the field stops is missing"),
            (["stops": .string("a")], "the field stops is of the kind string"),
            (["stops": .array([stop("a"), .integer(1)])], "the field stops[1] is of the kind integer"),
        ]
        for (record, reason) in records {
            let error = #expect(throws: FieldError.self) {
                try read(record, isEncoded: isEncoded) { view in
                    _ = try view.requiredElements("stops") { try $0.required("name", as: String.self) }
                }
            }
            #expect(error.map { "\($0)".hasPrefix(reason) } == true, "\(error as Any)")
        }
    }
}
