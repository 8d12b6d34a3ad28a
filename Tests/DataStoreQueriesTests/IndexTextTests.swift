import DataStoreCore
import DataStoreTesting
import Testing

@testable import DataStoreQueries

/// Tests of the bytes of values in index entries.
@Suite struct IndexTextTests {
    private static let limits: [Value] = [
        .bool(false), .bool(true), .integer(.min), .integer(.min + 1), .integer(-1), .integer(0), .integer(1),
        .integer(1 << 53), .integer(1 << 53 + 1), .integer(.max - 1), .integer(.max), .real(-.infinity),
        .real(-.greatestFiniteMagnitude), .real(-0.0), .real(0.0), .real(.leastNonzeroMagnitude), .real(0x1p53),
        .real(0x1p63), .real(.infinity), .real(.nan), .date(Timestamp(seconds: .min)), .date(Timestamp(seconds: -1)),
        .date(Timestamp(seconds: 0)), .date(Timestamp(seconds: .max)), .string(""), .string("\0"), .string("\u{1}"),
        .string("\u{1}\u{1}"), .string("a"), .string("a\0"), .string("a\u{1}"), .string("aa"), .string("e\u{301}"),
        .string("é"), .string("\u{10FFFF}"), .data([]), .data([0]), .data([1]), .data([1, 1]), .data([0x7F]),
        .data([0x80]), .data([0xFF]), .array([]), .array([.integer(1)]), .array([.integer(1), .integer(1)]),
        .array([.string("")]), .record([:]), .record(["a": .integer(1)]), .record(["b": .array([])]),
    ]

    @Test("The order of the bytes is the order of sorting, at the limits of each kind")
    func orderOfLimits() {
        expectSameOrder(Self.limits, "limits")
    }

    @Test("The order of the bytes is the order of sorting, for random values")
    func orderOfRandomValues() {
        var generator = SeededGenerator()
        let seed = generator.seed
        print("index texts: seed \(seed)")
        let values = (0..<100).flatMap { _ in Record.random(using: &generator).map(\.value) }
        expectSameOrder(Array(values.prefix(100)), "seed \(seed)")
    }

    private func expectSameOrder(_ values: [Value], _ comment: Comment) {
        let texts = values.map { (value: $0, text: $0.indexText) }
        for (left, first) in texts {
            for (right, second) in texts {
                let isRight =
                    switch left.ordering(inSort: right) {
                    case .before: first.lexicographicallyPrecedes(second) && !second.starts(with: first)
                    case .same: first == second
                    case .after: second.lexicographicallyPrecedes(first) && !first.starts(with: second)
                    }
                guard isRight else {
                    Issue.record("\(left.testDescription), \(right.testDescription): \(comment)")
                    return
                }
            }
        }
    }

    @Test("The bytes are UTF-8 without NUL, so they can be part of a key", arguments: limits)
    func textOfKeys(_ value: Value) {
        let text = value.indexText
        #expect(String(validating: text, as: UTF8.self) != nil && !text.contains(0))
        #expect(Value.missingIndexText.lexicographicallyPrecedes(text))
    }

    @Test("The length of a value is found at the beginning of an entry", arguments: limits)
    func lengthInEntry(_ value: Value) {
        let text = value.indexText
        // The end of a text consists of 1 bytes, with which an id may begin, too.
        for id in ["/id", "\u{1}id", "\u{1}\u{1}"] {
            let entry = text + Array(id.utf8)
            #expect(Value.indexTextCount(in: entry.span, componentCount: 1) == text.count)
        }
        for length in 0..<text.count {
            let cut = Array(text.prefix(length))
            #expect(Value.indexTextCount(in: cut.span, componentCount: 1) == nil, "cut after \(length) bytes")
        }
    }

    @Test(
        "The entry of a stored text begins with the index text of its transformed value",
        arguments: [
            "", "a", "a\0b", "\u{1}", "é", "v@example.com", "v@Example.COM", "V@x", "@", "2011-08-01", "2011/08/01",
            "2011-08-0", "12.50",
        ])
    func entryOfText(_ text: String) throws {
        let transforms: [ValueTransform?] = [
            nil, .monthDay, .foldedText, .asciiLowercase, .decimal,
        ]
        for transform in transforms {
            let value = if let transform { transform(.string(text)) } else { Value.string(text) }
            let field = QueryField("field", transform: transform)
            let index = Index(field, IndexState(number: 1, uniqueness: .no, isCovering: false, progress: .ready))
            let entry = (value?.indexText ?? Value.missingIndexText) + Array("id".utf8)
            let record: Record = ["field": .string(text)]
            let comment: Comment = "\(transform?.rawValue ?? "no transform")"
            #expect(try index.entryIDs(of: RecordView(record), id: "id") == [entry], comment)
            #expect(try index.entryIDs(of: RecordView(EncodedRecord(record)), id: "id") == [entry], comment)
        }
    }

    @Test("An encoded record has the same entries as the decoded one, and a change of a field is found in both forms")
    func entriesOfEncodedRecords() throws {
        var generator = SeededGenerator()
        print("entries of encoded records: seed \(generator.seed)")
        for _ in 0..<500 {
            let record = Record.random(using: &generator)
            guard let name = record.randomElement(using: &generator)?.name else { continue }
            var other = record
            other[name] = Record.random(using: &generator).first?.value
            let fields = [
                QueryField(name), QueryField(name, transform: .monthDay), QueryField(name, transform: .asciiLowercase),
                QueryField(name, transform: .decimal), .elements(of: name), QueryField(name).part("a"),
                .compound(record.map { QueryField($0.name) }),
            ]
            for field in fields {
                let index = Index(field, IndexState(number: 1, uniqueness: .no, isCovering: false, progress: .ready))
                let comment: Comment = "seed \(generator.seed), \(field.name)"
                let (encoded, encodedOther) = (EncodedRecord(record), EncodedRecord(other))
                #expect(
                    try index.entryIDs(of: RecordView(encoded), id: "id")
                        == index.entryIDs(of: RecordView(record), id: "id"), comment)
                for isEncoded in [false, true] {
                    let view = isEncoded ? RecordView(encoded) : RecordView(record)
                    let otherView = isEncoded ? RecordView(encodedOther) : RecordView(other)
                    #expect(try field.isUnchanged(from: view, to: otherView) == (other[name] == record[name]), comment)
                    #expect(try field.isUnchanged(from: view, to: RecordView(encoded)), comment)
                }
            }
        }
    }
}
