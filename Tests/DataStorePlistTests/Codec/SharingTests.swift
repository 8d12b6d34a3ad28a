import DataStoreCore
import DataStorePlist
import Testing

/// Tests of objects of a binary file that several records share.
@Suite struct SharingTests {
    @Test("Data that 1,000 records share is one object in memory and in the file")
    func sharedData() throws {
        let data = [UInt8](repeating: 7, count: 1 << 20)
        let bytes = Samples.binary(records: Array(repeating: 0, count: 1000)) { first in
            [
                Samples.container(0xD, [first + 1, first + 2]), Samples.text("d"), Samples.head(0x4, data.count) + data,
            ]
        }
        let list = try Samples.read(bytes)
        expect(list, shares: data)
        let written = Samples.write(list)
        #expect(written.count < bytes.count + 100_000)
        expect(try Samples.read(written), shares: data)
    }

    /// Compares the bytes once: all records share one array, and comparing an array with itself reads no bytes.
    private func expect(_ list: PropertyList, shares data: [UInt8]) {
        let first = list.entries.first?.record["d"]
        #expect(first == .data(data))
        #expect(list.entries.count == 1000 && list.entries.allSatisfy { $0.record["d"] == first })
    }

    @Test("Equal data and texts in separate storage are written once", arguments: [64, 1000])
    func equalValues(count: Int) throws {
        let values: [(Int) -> Value] = [
            { _ in .data([UInt8](repeating: 1, count: count)) },
            { _ in .string(String(repeating: "x", count: count)) },
            { _ in .string(String(repeating: "é", count: count)) },
            { _ in .string(String(repeating: "\u{1}", count: count)) },
        ]
        for value in values {
            let entries = try (0..<50).map { number in
                Entry(key: try Key(collection: "c", id: "\(10 + number)"), record: ["f": value(number)])
            }
            let one = Samples.write(Array(entries.prefix(1)), PropertyListTemplate(format: .binary)).count
            let all = Samples.write(entries, PropertyListTemplate(format: .binary))
            #expect(all.count - one < 50 * 40, "\(value(0).kind)")
            #expect(try Samples.read(all).entries == entries)
        }
    }

    @Test("A record with an array that 1,000 records share is read back", arguments: [100, 1000])
    func sharedArray(count: Int) throws {
        let array = Value.array((0..<Int64(count)).map { .integer($0) })
        let records = Array(repeating: ["a": array] as Record, count: 1000)
        #expect(try Samples.roundTrip(records, .binary) == records)
    }

    @Test("Different large values stay different")
    func differentValues() throws {
        var records: [Record] = []
        for number in 0..<100 {
            var data = [UInt8](repeating: 0, count: 100)
            data[99] = UInt8(number)
            let text = String(repeating: "a", count: 99)
            records.append([
                "d": .data(data), "s": .string(text + "\(number)"), "c": .string("\u{1}" + text + "\(number)"),
                "composed": .string(text + "\u{E9}"), "decomposed": .string(text + "e\u{301}"),
                "a": .array(Array(repeating: .integer(Int64(number)), count: 70)),
            ])
        }
        for format in [PlistDataStore.Format.xml, .binary] {
            #expect(try Samples.roundTrip(records, format) == records)
        }
    }

    @Test("Containers that unfold to more values than the file may have are an error")
    func unfoldingContainers() throws {
        // 60 arrays, each with two references to the next one.
        let bytes = Samples.binary(records: [0]) { first in
            let arrays = (0..<60).map { Samples.container(0xA, [first + 3 + $0, first + 3 + $0]) }
            return [Samples.container(0xD, [first + 1, first + 2]), Samples.text("a")] + arrays + [[0x09]]
        }
        let error = #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
        #expect(error?.reason.contains("65536 values") == true, "\(error?.reason ?? "")")
        #expect(try Samples.recover(bytes).losses.count == 1)
    }

    @Test("Records that unfold to too many values together are an error")
    func unfoldingRecords() throws {
        let bytes = Samples.binary(records: Array(repeating: 0, count: 1000)) { first in
            [
                Samples.container(0xD, [first + 1, first + 2]), Samples.text("a"),
                Samples.container(0xA, Array(repeating: first + 3, count: 10_000)), [0x09],
            ]
        }
        let error = #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
        #expect(error?.reason.contains("unfold to more than") == true, "\(error?.reason ?? "")")
        let recovered = try Samples.recover(bytes)
        #expect(!recovered.entries.isEmpty && recovered.entries.count + recovered.losses.count == 1000)
    }

    @Test("A dictionary that moderately many records share is read")
    func sharedRecord() throws {
        let bytes = Samples.binary(records: Array(repeating: 0, count: 1000)) { first in
            [
                Samples.container(0xD, (0..<30).map { first + 1 + $0 } + Array(repeating: first + 31, count: 30))
            ] + (0..<30).map { Samples.text("f\($0)") } + [[0x09]]
        }
        let list = try Samples.read(bytes)
        #expect(list.entries.count == 1000 && list.entries.allSatisfy { $0.record.count == 30 })
    }

    @Test("Strings that share one data object, and fields that share one encoded name, share the decoded text")
    func sharedTexts() throws {
        let (data, name) = ([UInt8](repeating: 1, count: 100), "$" + String(repeating: "n", count: 100))
        let bytes = Samples.binary(records: Array(0..<100)) { first in
            let records = (0..<100).map { Samples.container(0xD, [first + 202, first + 100 + $0]) }
            let wrappers = (0..<100).map { _ in Samples.container(0xD, [first + 200, first + 201]) }
            let key = Samples.text("$%24" + name.dropFirst())
            return records + wrappers + [Samples.text("$string"), Samples.head(0x4, data.count) + data, key]
        }
        let fields = try Samples.read(bytes).entries.compactMap(\.record.first)
        let text = String(decoding: data, as: UTF8.self)
        #expect(fields.count == 100 && fields.allSatisfy { $0.name == name && $0.value == .string(text) })
        #expect(Set(fields.map { address(of: $0.name) }).count == 1)
        let texts = fields.compactMap { if case .string(let text) = $0.value { text } else { nil } }
        #expect(Set(texts.map { address(of: $0) }).count == 1)
    }

    /// Returns the address of the characters. It is only compared.
    private func address(of text: String) -> UInt? {
        unsafe text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) } ?? nil
    }
}
