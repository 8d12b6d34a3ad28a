import DataStoreCore
import DataStorePlist

/// Files for the tests of the codec.
enum Samples {
    /// Returns an XML file with the entry `UserProfile`.
    static func xml(_ collections: String, after: String = "") -> [UInt8] {
        let beginning = "<plist><dict><key>UserProfile</key><dict><key>$format</key><integer>2</integer>"
        return Array((beginning + collections + "</dict>" + after + "</dict></plist>").utf8)
    }

    /// Returns a binary file with four-byte object references. The first object is the root.
    static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += number(offset, 8) }
        return bytes + trailer(count: objects.count, table: table)
    }

    /// Returns a trailer for eight-byte offsets and four-byte references.
    static func trailer(count: Int, root: Int = 0, table: Int) -> [UInt8] {
        [0, 0, 0, 0, 0, 0, 8, 4] + number(count, 8) + number(root, 8) + number(table, 8)
    }

    static func container(_ marker: UInt8, _ references: [Int]) -> [UInt8] {
        let count = marker == 0xD ? references.count / 2 : references.count
        return head(marker, count) + references.flatMap { number($0, 4) }
    }

    static func text(_ text: String) -> [UInt8] { head(0x5, text.utf8.count) + text.utf8 }

    /// Returns the header of an object.
    static func head(_ marker: UInt8, _ count: Int) -> [UInt8] { [marker << 4 | 0xF, 0x13] + number(count, 8) }

    /// Returns a big-endian number.
    static func number(_ number: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns a binary file with `UserProfile` whose records are the objects after the first `7 + ids.count`.
    ///
    /// - Parameters:
    ///   - records: The number of each record's object, counted from 0.
    ///   - objects: The objects, which refer to each other by `firstObject` and following numbers.
    /// - Returns: The file.
    static func binary(records: [Int], objects: (_ firstObject: Int) -> [[UInt8]]) -> [UInt8] {
        let first = 7 + records.count
        var all = [
            container(0xD, [1, 2]), text("UserProfile"), container(0xD, [3, 5, 4, 6]), text("$format"), [0x10, 2],
            text("c"),
        ]
        all.append(container(0xD, records.indices.map { 7 + $0 } + records.map { first + $0 }))
        for index in records.indices { all.append(text("\(index)")) }
        return binary(all + objects(first))
    }

    /// Reads an intact file.
    static func read(_ bytes: [UInt8]) throws -> PropertyList {
        let list = try PropertyList(bytes)
        if let first = list.losses.first { throw first.errorOfFile }
        return list
    }

    /// Reads the intact parts of a damaged file.
    static func recover(_ bytes: [UInt8]) throws -> PropertyList { try PropertyList(bytes) }

    /// Writes the records of a file.
    static func write(_ list: PropertyList) -> [UInt8] { write(list.entries, list.template) }

    static func write(_ entries: [Entry], _ template: PropertyListTemplate) -> [UInt8] {
        template.bytes(of: entries)
    }

    /// Writes records to a new file and reads it.
    static func roundTrip(_ records: [Record], _ format: PlistDataStore.Format) throws -> [Record] {
        let entries = try records.enumerated().map { Entry(key: try Key(collection: "c", id: "\($0)"), record: $1) }
        let ordered = entries.sorted { $0.key < $1.key }
        let read = try read(write(ordered, PropertyListTemplate(format: format)))
        return read.entries.sorted { (Int($0.key.id) ?? 0) < (Int($1.key.id) ?? 0) }.map(\.record)
    }
}
