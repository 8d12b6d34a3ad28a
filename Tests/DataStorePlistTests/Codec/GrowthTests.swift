import DataStoreCore
import DataStorePlist
import Testing
import TestScale

/// Tests with large files. They exceed the time limit by far if an algorithm has quadratic complexity.
@Suite(.timeLimit(.minutes(5))) struct GrowthTests {
    @Test("Many entries of other programs on one line are read")
    func foreignEntriesOnOneLine() throws {
        let count = TestScale.count(50_000, full: 200_000)
        let foreign = (0..<count).map { "<key>k\($0)</key><true/>" }.joined()
        let bytes = Samples.xml("", after: foreign)
        let list = try Samples.read(bytes)
        #expect(Samples.write(list).count > bytes.count - 200)
    }

    @Test("Many records on one line, in descending order, are read")
    func recordsOnOneLine() throws {
        let count = TestScale.count(25_000, full: 100_000)
        let records = (100_000..<100_000 + count).reversed().map { "<key>\($0)</key><dict/>" }.joined()
        let list = try Samples.read(Samples.xml("<key>c</key><dict>\(records)</dict>"))
        #expect(list.entries.count == count && list.entries.first?.key.id == "100000")
    }

    @Test("Many fields of one record are read")
    func fieldsOfOneRecord() throws {
        let count = TestScale.count(25_000, full: 100_000)
        let fields = (100_000..<100_000 + count).reversed().map { "<key>\($0)</key><true/>" }.joined()
        let list = try Samples.read(Samples.xml("<key>c</key><dict><key>a</key><dict>\(fields)</dict></dict>"))
        #expect(list.entries.first?.record.count == count)
    }

    @Test("A file with an open comment in each of many lines is recovered")
    func openComments() throws {
        var text = "<plist>\n<dict>\n"
        for number in 0..<TestScale.count(12_500, full: 50_000) { text += "\t<key>k\(number)</key><!-- \n" }
        let list = try Samples.recover(Array(text.utf8))
        #expect(!list.losses.isEmpty && list.entries.isEmpty)
    }

    @Test("Many damaged records on one line are reported with their columns")
    func damagedRecords() throws {
        let count = TestScale.count(12_500, full: 50_000)
        let records = (0..<count).map { "<key>\($0)</key><true/>" }.joined()
        let bytes = Samples.xml("<key>c</key><dict>\(records)</dict>")
        let list = try Samples.recover(bytes)
        let positions = PropertyListError.positions(of: list.losses.map(\.offset), in: bytes)
        #expect(positions.count == count)
        #expect(zip(positions, list.losses).allSatisfy { $0.line == 1 && $0.column == $1.offset + 1 })
    }

    @Test("Many entries of other programs with the same damaged array are reported")
    func sharedDamagedArray() throws {
        let count = TestScale.count(10_000, full: 40_000)
        // The last element of the array does not exist.
        let array = Samples.container(0xA, Array(repeating: 2, count: count) + [count + 100])
        let root = Samples.container(0xD, (0..<count).map { 3 + $0 } + Array(repeating: 1, count: count))
        let keys = (0..<count).map { Samples.text("k\($0)") }
        let list = try Samples.recover(Samples.binary([root, array, [0x09]] + keys))
        #expect(list.losses.count == count)
        #expect(try PropertyList.rootEntries(["k0", "k1"], of: Samples.write(list)).isEmpty)
    }

    @Test("Records that share a damaged array are reported")
    func recordsWithDamagedArray() throws {
        let count = TestScale.count(10_000, full: 40_000)
        let bytes = Samples.binary(records: Array(0..<count)) { first in
            // Each record has its own dictionary, whose key is the third object from the end.
            let (key, array, leaf) = (first + count, first + count + 1, first + count + 2)
            return (0..<count).map { _ in Samples.container(0xD, [key, array]) }
                + [Samples.text("a"), Samples.container(0xA, Array(repeating: leaf, count: count) + [-1]), [0x09]]
        }
        #expect(try Samples.recover(bytes).losses.count == count)
    }

    @Test("Overlapping objects are an error")
    func overlappingObjects() throws {
        // 10,000 objects at one position: an array of 10,000 elements.
        let count = 10_000
        let key = Samples.text("k")
        let root = Samples.container(0xD, [1, 2])
        let array = Samples.container(0xA, (0..<count).map { 3 + $0 })
        let inner = Samples.container(0xA, Array(repeating: 1, count: count))
        var bytes = Array("bplist00".utf8) + root + key + array + inner
        let table = bytes.count
        let offsets = [8, 8 + root.count, 8 + root.count + key.count]
        for offset in offsets + Array(repeating: table - inner.count, count: count) {
            bytes += Samples.number(offset, 8)
        }
        bytes += Samples.trailer(count: 3 + count, table: table)
        let error = #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
        #expect(error?.reason.contains("objects overlap") == true)
    }

    /// Without a limit, the losses contain the name once for each entry.
    @Test("Many entries of a binary file that share a long key are reported with a short name")
    func sharedLongKey() throws {
        let count = TestScale.count(500, full: 5000)
        for name in [String(repeating: "k", count: 20_000), "$%zz" + String(repeating: "k", count: 20_000)] {
            let keys = Array(repeating: 1, count: count)
            let format = [Samples.text("UserProfile"), Samples.text("$format"), [0x10, 2]]
            for bytes in [
                // Entries of other programs, with a value that does not exist.
                Samples.binary([Samples.container(0xD, keys + keys.map { _ in 9 }), Samples.text(name)]),
                // Collections.
                Samples.binary(
                    [Samples.container(0xD, [2, 5]), Samples.text(name)] + format + [
                        Samples.container(0xD, [3] + keys + [4] + keys.map { _ in 6 }), Samples.container(0xD, []),
                    ]),
                // Records.
                Samples.binary(
                    [Samples.container(0xD, [2, 5]), Samples.text(name)] + format + [
                        Samples.container(0xD, [3, 7, 4, 6]), Samples.container(0xD, keys + keys.map { _ in 8 }),
                        Samples.text("c"), Samples.container(0xD, []),
                    ]),
                // Fields with the invalid name or a name that occurs twice, in different records.
                Samples.binary(records: Array(0..<count)) { first in
                    (0..<count).map { _ in Samples.container(0xD, [first + count, first + count, 3, 3]) }
                        + [Samples.text(name)]
                },
            ] {
                let losses = try Samples.recover(bytes).losses
                #expect(losses.count == count)
                #expect(losses.allSatisfy { "\($0.part)\($0.reason)".utf8.count < 1000 })
            }
        }
    }

    @Test("A long collection name is reported once, not with each record")
    func longCollectionName() throws {
        let records = String(repeating: "<key>a</key><dict/>", count: TestScale.count(2000, full: 20_000))
        let name = String(repeating: "c", count: 100_000)
        let list = try Samples.recover(Samples.xml("<key>\(name)</key><dict>\(records)</dict>"))
        // The second loss is the rest of the file, because no key on the same line can be found.
        #expect(list.losses.count <= 2 && list.entries.isEmpty)
        #expect(list.losses.allSatisfy { "\($0.part)\($0.reason)".utf8.count < 1000 })
    }
}
