import DataStoreCore
import DataStoreQueries
import Testing

/// Tests of replacing sealed values in an encoded record, compared with replacing them in the decoded record.
@Suite struct SealedValueReplacementTests {
    /// Names that a record sorts into another order. The longest ones have heads of two bytes.
    private static let names =
        ["z", "b", "aa", "ab", "ba", "é", "abc", "123456789", "12345678a"]
        + [23, 24, 300].map { String(repeating: "n", count: $0) }

    private static func record(_ depth: Int) -> Record {
        var record = Record()
        for name in names where Int.random(in: 0..<3) > 0 { record[name] = value(depth) }
        return record
    }

    private static func value(_ depth: Int) -> Value {
        switch Int.random(in: depth > 0 ? 0..<10 : 3..<10) {
        case 0...2: .record(record(depth - 1))
        case 3: .array([.sealed([1, 2, 3]), .record(["z": .sealed([4])]), .array([])])
        case 4: .record([:])
        case 5: .string(String(repeating: "é", count: .random(in: 0...40)))
        case 6: .integer(.random(in: -1000...1000))
        default: .sealed((0..<([0, 1, 23, 24, 80, 300].randomElement() ?? 0)).map { _ in .random(in: 0...255) })
        }
    }

    /// Returns fields of which none contains another one, in the order of a record's fields.
    private static func fields() throws -> [QueryField] {
        var fields: [QueryField] = []
        for _ in 0..<Int.random(in: 0...8) {
            let path = (0..<Int.random(in: 1...3)).compactMap { _ in names.randomElement() }.joined(separator: ".")
            let field = try #require(QueryField(parsing: path))
            if fields.contains(where: { $0 == field || $0.isWithin(field) || field.isWithin($0) }) { continue }
            fields.append(field)
        }
        return fields.sorted { $0.precedesInRecord($1) }
    }

    @Test("Values that are replaced in an encoded record are those that are replaced in the decoded one")
    func replacement() throws {
        var replacedCount = 0
        for _ in 0..<500 {
            let record = Self.record(2)
            let fields = try Self.fields()
            var (expected, sealed): (Record, [[UInt8]?]) = (record, [])
            let values = fields.map { _ in Self.value(1) }
            for (field, value) in zip(fields, values) {
                guard case .sealed(let bytes)? = record.value(at: field) else {
                    sealed.append(nil)
                    continue
                }
                sealed.append(bytes)
                expected.replaceValue(at: field, by: value)
                replacedCount += 1
            }
            let encoded = EncodedRecord(record)
            // Fields may have been found before.
            if Bool.random() { _ = try encoded.position(of: FieldName("ab")) }
            for _ in 0..<2 {
                var found = fields.map { _ in [UInt8]?.none }
                let replaced = try encoded.replacingSealedValues(of: fields) { index, bytes, cbor in
                    found[index] = bytes
                    cbor += values[index].cbor
                }
                #expect(found == sealed)
                let isSealed = sealed.contains { $0 != nil }
                #expect((replaced != nil) == isSealed)
                // A record has one encoding.
                let bytes = (replaced ?? encoded).copiedBytes(in: 0..<(replaced ?? encoded).byteCount)
                let other = EncodedRecord(expected)
                #expect(bytes == other.copiedBytes(in: 0..<other.byteCount))
            }
        }
        #expect(replacedCount > 100)
    }
}
