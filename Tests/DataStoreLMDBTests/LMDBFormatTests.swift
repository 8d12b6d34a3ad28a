import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import Foundation
import Testing

/// Tests of the stored bytes, which other programs read.
@Suite struct LMDBFormatTests {
    /// Single fields and the CBOR of the record. Most of them are from RFC 8949, appendix A.
    static let encodings: [(Value, String)] = [
        (.integer(0), "a1617600"), (.integer(23), "a1617617"), (.integer(24), "a161761818"),
        (.integer(1000), "a161761903e8"), (.integer(1_000_000), "a161761a000f4240"),
        (.integer(1_000_000_000_000), "a161761b000000e8d4a51000"), (.integer(-1), "a1617620"),
        (.integer(-1000), "a161763903e7"), (.integer(.max), "a161761b7fffffffffffffff"),
        (.integer(.min), "a161763b7fffffffffffffff"),
        (.real(0.0), "a16176f90000"), (.real(-0.0), "a16176f98000"), (.real(1.5), "a16176f93e00"),
        (.real(65_504), "a16176f97bff"), (.real(100_000), "a16176fa47c35000"),
        (.real(3.4028234663852886e+38), "a16176fa7f7fffff"), (.real(1.1), "a16176fb3ff199999999999a"),
        (.real(1.0e+300), "a16176fb7e37e43c8800759c"), (.real(5.960464477539063e-8), "a16176f90001"),
        (.real(0.00006103515625), "a16176f90400"), (.real(-4.1), "a16176fbc010666666666666"),
        (.real(.infinity), "a16176f97c00"), (.real(-.infinity), "a16176f9fc00"), (.real(.nan), "a16176f97e00"),
        (.bool(false), "a16176f4"), (.bool(true), "a16176f5"),
        (.date(Timestamp(seconds: 1_363_896_240)), "a16176c11a514b67b0"),
        (.data([1, 2, 3, 4]), "a161764401020304"), (.data([]), "a1617640"),
        (.string(""), "a1617660"), (.string("ü"), "a1617662c3bc"), (.string("水"), "a1617663e6b0b4"),
        (.array([]), "a1617680"), (.array([.integer(1), .array([.integer(2)])]), "a1617682018102"),
        (.record([:]), "a16176a0"),
        // Keys are ordered by length, then by bytes: "b" before "aa".
        (.record(["aa": .integer(1), "b": .integer(2)]), "a16176a2616202626161" + "01"),
    ]

    @Test("Records are stored as deterministic CBOR", arguments: encodings)
    func deterministicCBOR(_ value: Value, _ cbor: String) async throws {
        let subject = try LMDBSubject()
        let store = try await subject.open()
        let key = try Key(collection: "c", id: "id")
        try await store.write { try $0.put(["v": value], for: key) }
        await store.close()
        let frame = try #require(try PlainLMDB(subject.path).get(Array("c\0id".utf8)))
        #expect(hexadecimal(frame.dropFirst(5)) == cbor)
    }

    @Test("A date with a fraction of a second is an extended time")
    func fractions() async throws {
        let subject = try LMDBSubject()
        let store = try await subject.open()
        let date = try #require(Timestamp(seconds: 1, nanoseconds: 500))
        try await store.write { try $0.put(["v": .date(date)], for: Key(collection: "c", id: "id")) }
        await store.close()
        let frame = try #require(try PlainLMDB(subject.path).get(Array("c\0id".utf8)))
        // Tag 1001 (RFC 9581) and {1: seconds, -9: nanoseconds}.
        #expect(hexadecimal(frame.dropFirst(5)) == "a16176d903e9a20101281901f4")
    }

    /// Bodies with a correct checksum that no store writes.
    @Test(
        "A record in another CBOR form is corrupted",
        arguments: [
            "", "00", "a1", "a161", "a1617600" + "00", "a16176" + "1800", "a16176" + "190017",
            "a16176" + "fb3ff0000000000000",
            "a16176" + "f97e01", "a16176" + "fa7fc00000", "a16176" + "f6", "a16176" + "f820", "a16176" + "5f4101ff",
            "bf617601ff", "a1617662c328", "a10001", "a160" + "01", "a2617601617602", "a2617701617601",
            "a16176" + "c261" + "31",
            "a16176" + "c1f93c00", "a16176" + "d903e9a201012800", "a16176" + "1bffffffffffffffff",
            "a16176" + "9b0000000100000000",
            "a16176" + "5a7fffffff00",
        ])
    func otherCBOR(_ cbor: String) async throws {
        let subject = try LMDBSubject()
        let key = Array("c\0id".utf8)
        let new = try await subject.open()
        try await new.write { try $0.put([:], for: Key(collection: "c", id: "other")) }
        await new.close()
        try PlainLMDB(subject.path).put(LMDBSubject.frame(bytes(cbor), key: key), for: key)
        let store = try await subject.open()
        await #expect {
            try await store.read { try $0.record(for: Key(collection: "c", id: "id")) }
        } throws: { error in
            let error = error as? DataStoreError
            return error?.code == .corrupted && error?.key == "c/id"
        }
        await store.close()
    }

    @Test("A record under the key of another record is corrupted")
    func movedRecord() async throws {
        let subject = try LMDBSubject()
        var store = try await subject.open()
        try await store.write { try $0.put(["v": .bool(true)], for: Key(collection: "c", id: "one")) }
        await store.close()
        let environment = try PlainLMDB(subject.path)
        let frame = try #require(try environment.get(Array("c\0one".utf8)))
        try environment.put(frame, for: Array("c\0two".utf8))
        store = try await subject.open()
        await #expect {
            try await store.read { try $0.record(for: Key(collection: "c", id: "two")) }
        } throws: { ($0 as? DataStoreError)?.code == .corrupted }
        await store.close()
    }

    @Test("An empty value is corrupted")
    func emptyValue() async throws {
        let subject = try LMDBSubject()
        var store = try await subject.open()
        let (whole, empty) = (try Key(collection: "c", id: "a"), try Key(collection: "c", id: "b"))
        try await store.write { try $0.put(["v": .bool(true)], for: whole) }
        await store.close()
        try PlainLMDB(subject.path).put([], for: Array("c\0b".utf8))
        store = try await subject.open()
        await #expect {
            try await store.read { try $0.record(for: empty) }
        } throws: { ($0 as? DataStoreError)?.code == .corrupted }
        // A damaged record counts as existing: a write over it is rejected, too, but it can be removed.
        await #expect {
            try await store.write { try $0.put([:], for: empty) }
        } throws: { ($0 as? DataStoreError)?.code == .corrupted }
        let existed = try await store.write { try $0.remove(empty) }
        #expect(existed)
        #expect(try await store.read { try $0.records(in: Scan("c")).map(\.key) } == [whole])
        await store.close()
    }

    @Test(
        "A damaged key does not end a scan",
        arguments: [(offset: 0, letter: "v", shown: "vsers"), (offset: 6, letter: "~", shown: "~")])
    func damagedKey(_ damage: (offset: Int, letter: String, shown: String)) async throws {
        let subject = try LMDBSubject()
        let store = try await subject.open()
        try await store.write { transaction in
            for id in ["1", "2", "3"] { try transaction.put([:], for: Key(collection: "users", id: id)) }
        }
        await store.close()
        // Changes one letter of a key in the file itself.
        let file = URL(filePath: "\(subject.path)/data.mdb")
        var bytes = try Data(contentsOf: file)
        var start = bytes.startIndex
        while let found = bytes[start...].firstRange(of: Data("users\02".utf8)) {
            bytes.replaceSubrange(
                (found.lowerBound + damage.offset)..<(found.lowerBound + damage.offset + 1), with: damage.letter.utf8)
            start = found.upperBound
        }
        try bytes.write(to: file)
        let damaged = try await subject.open()
        // The scan fails even if the damaged key is outside the requested range.
        for ids in [IDRange.all, .all.before("3")] {
            await #expect {
                try await damaged.read { try $0.records(in: Scan("users", ids: ids)) }
            } throws: { ($0 as? DataStoreError)?.code == .corrupted && "\($0)".contains(damage.shown) }
        }
        await damaged.close()
    }

    /// Replaces the catalogue of a store with one index, and returns what a program that declares an index of the same
    /// field sees.
    private func indexes(
        afterWriting state: String, named name: String = "is", _ body: (SchemaStore, RecordQuery) async throws -> Void
    ) async throws {
        let subject = try LMDBSubject()
        let indexes = [IndexDefinition.unique("is", isCovering: true)]
        let schema = try Schema([Schema.Collection("c", indexes: [.on("is")])])
        var store = SchemaStore(try await subject.open(), schema: schema)
        try await store.write { transaction in
            try transaction.put(["is": .bool(true)], for: Key(collection: "c", id: "a"))
        }
        await store.close()
        let key = Array("\0index\0c".utf8)
        let catalogue =
            [0xA1, 0x60 + UInt8(name.utf8.count)] + Array(name.utf8) + [0x60 + UInt8(state.utf8.count)]
            + Array(state.utf8)
        try PlainLMDB(subject.path).put(LMDBSubject.frame(catalogue, key: key), for: key)
        store = SchemaStore(
            try await subject.open(), schema: try Schema([Schema.Collection("c", indexes: indexes)]))
        let field = indexes[0].field
        try await body(store, RecordQuery("c", where: .compare(field, .equal, .bool(true)), indexes: indexes))
        await store.close()
    }

    @Test(
        "A store with an index of another version of the library can be read and not written",
        arguments: [
            ("is", "1 03 ---r"), ("is", "1 -x-r"), ("is", "1 ---z"), ("is", "1"), ("is:text.other@9", "1 ---r"),
        ])
    func otherIndex(_ name: String, _ state: String) async throws {
        try await indexes(afterWriting: state, named: name) { store, query in
            let found = try await store.read { try $0.records(matching: query).entries.count }
            #expect(found == 1)
            let key = try Key(collection: "c", id: "b")
            let error = await #expect(throws: DataStoreError.self) {
                try await store.write { try $0.put([:], for: key) }
            }
            #expect(error?.code == .unsupportedFormat && error?.reason.contains(name) == true)
            let other = try Key(collection: "d", id: "b")
            try await store.write { try $0.put([:], for: other) }
            let reports = try await store.checkIndexes()
            #expect(reports.map(\.state) == [.unknown])
            if name == "is" {
                // The program declares the same field and leaves the other form unchanged.
                let error = await #expect(throws: DataStoreError.self) { try await store.buildIndexes() }
                #expect(error?.code == .unsupportedFormat)
            }
        }
    }

    private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap { UInt8(String($0), radix: 16) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
