import DataStoreCore
import DataStoreMemory

/// Writes a binary property list: the objects one after the other, the root first and each container before what is in it,
/// then where each begins, then the trailer.
struct BinaryWriter {
    /// An object that is not written yet, since how many bytes a reference has depends on how many there are.
    private enum Object {
        /// Whole, in `leaves`.
        case leaf(Range<Int>)
        /// Its references are in `references`.
        case container(marker: UInt8, Range<Int>)
    }

    private var objects: [Object] = []
    private var leaves: [UInt8] = []
    private var references: [Int] = []
    /// Names that are there already: all records have the same ones.
    private var names: [String: Int] = [:]

    private init() {}

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - records: ours.
    ///   - others: the entries of other programs.
    /// - Returns: the bytes.
    static func bytes(of records: RecordTree, _ others: BinaryOthers) -> [UInt8] {
        var writer = BinaryWriter()
        let count = others.entries.count + 1
        let (_, root) = writer.container(0xD, 2 * count)
        writer.append(others, to: root, count)
        writer.references[root + count - 1] = writer.text(StoredEntries.rootKey)
        writer.references[root + 2 * count - 1] = writer.append(records)
        return writer.bytes()
    }

    // MARK: Records

    private mutating func append(_ records: RecordTree) -> Int {
        var collections: [(name: String, records: [(id: String, record: Record)])] = []
        records.forEachRecord { key, record in
            if collections.last.map({ !$0.name.hasSameBytes(as: key.collection) }) ?? true {
                collections.append((key.collection, []))
            }
            collections[collections.count - 1].records.append((key.id, record))
        }
        return dictionary(collections.count + 1) { writer, index in
            index == 0 ? writer.text(StoredEntries.formatKey) : writer.name(collections[index - 1].name)
        } value: { writer, index in
            if index == 0 { return writer.integer(StoredEntries.formatVersion) }
            let records = collections[index - 1].records
            return writer.dictionary(records.count) { writer, index in
                writer.text(PlistName.encoded(records[index].id))
            } value: { writer, index in
                writer.append(records[index].record)
            }
        }
    }

    private mutating func append(_ record: Record) -> Int {
        dictionary(record.count) {
            $0.name(record[$1].name)
        } value: {
            $0.append(record[$1].value)
        }
    }

    private mutating func append(_ value: Value) -> Int {
        switch value {
        case .string(let text):
            PlistText.form(of: text) == .unprintable
                ? wrapped(PlistCoder.stringKey) { $0.data(Array(text.utf8)) } : self.text(text)
        case .integer(let number): integer(number)
        case .real(let number):
            number == 0 && number.sign == .minus
                ? wrapped(PlistCoder.realKey) { $0.text(PlistCoder.negativeZero) }
                : leaf { $0.appendWord(0x23, number.bitPattern) }
        case .bool(let flag): leaf { $0.leaves.append(flag ? 0x09 : 0x08) }
        case .date(let date): append(date)
        case .data(let bytes): data(bytes)
        case .array(let values): array(values.count) { $0.append(values[$1]) }
        case .record(let record): append(record)
        }
    }

    private mutating func append(_ date: Timestamp) -> Int {
        if PlistCoder.isPlain(date) {
            return leaf { $0.appendWord(0x33, (Double(date.seconds) - PlistDate.epoch).bitPattern) }
        }
        let parts = [date.seconds, Int64(date.nanoseconds)]
        return wrapped(PlistCoder.dateKey) { writer in writer.array(2) { $0.integer(parts[$1]) } }
    }

    private mutating func wrapped(_ key: String, _ value: (inout BinaryWriter) -> Int) -> Int {
        dictionary(1) { writer, _ in
            writer.name(plain: key)
        } value: { writer, _ in
            value(&writer)
        }
    }

    // MARK: Containers

    /// Makes a container whose references are still to be set.
    private mutating func container(_ marker: UInt8, _ count: Int) -> (number: Int, first: Int) {
        let first = references.count
        references += repeatElement(0, count: count)
        objects.append(.container(marker: marker, first..<first + count))
        return (objects.count - 1, first)
    }

    private mutating func dictionary(
        _ count: Int, key: (inout BinaryWriter, Int) -> Int, value: (inout BinaryWriter, Int) -> Int
    ) -> Int {
        let (number, first) = container(0xD, 2 * count)
        for index in 0..<count {
            references[first + index] = key(&self, index)
            references[first + count + index] = value(&self, index)
        }
        return number
    }

    private mutating func array(_ count: Int, _ element: (inout BinaryWriter, Int) -> Int) -> Int {
        let (number, first) = container(0xA, count)
        for index in 0..<count { references[first + index] = element(&self, index) }
        return number
    }

    private mutating func append(_ others: BinaryOthers, to root: Int, _ count: Int) {
        let base = objects.count
        for object in others.objects {
            switch object {
            case .leaf(let bytes): _ = leaf { $0.leaves += bytes }
            case .container(let marker, let numbers):
                let (_, first) = container(marker, numbers.count)
                for (index, number) in numbers.enumerated() { references[first + index] = base + number }
            }
        }
        for (index, entry) in others.entries.enumerated() {
            references[root + index] = base + entry.key
            references[root + count + index] = base + entry.value
        }
    }

    // MARK: Leaves

    private mutating func leaf(_ write: (inout BinaryWriter) -> Void) -> Int {
        let start = leaves.count
        write(&self)
        objects.append(.leaf(start..<leaves.count))
        return objects.count - 1
    }

    /// The key of a name. Names are in Unicode's composed form, so no two of them that differ are equal.
    private mutating func name(_ name: String) -> Int { self.name(plain: PlistName.encoded(name)) }

    private mutating func name(plain name: String) -> Int {
        if let number = names[name] { return number }
        let number = text(name)
        names[name] = number
        return number
    }

    private mutating func text(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return leaf { writer in
                Self.appendHead(0x5, text.utf8.count, to: &writer.leaves)
                writer.leaves.append(contentsOf: text.utf8)
            }
        }
        return leaf { writer in
            Self.appendHead(0x6, text.utf16.count, to: &writer.leaves)
            for unit in text.utf16 {
                writer.leaves.append(UInt8(unit >> 8))
                writer.leaves.append(UInt8(unit & 0xFF))
            }
        }
    }

    private mutating func data(_ data: [UInt8]) -> Int {
        leaf { writer in
            Self.appendHead(0x4, data.count, to: &writer.leaves)
            writer.leaves += data
        }
    }

    /// Those of 8 bytes have a sign, shorter ones have none.
    private mutating func integer(_ number: Int64) -> Int {
        leaf { writer in
            let byteCount = number < 0 ? 8 : Self.byteCount(of: Int(number))
            writer.leaves.append(0x10 | UInt8(byteCount.trailingZeroBitCount))
            Self.append(UInt64(bitPattern: number), byteCount, to: &writer.leaves)
        }
    }

    private mutating func appendWord(_ marker: UInt8, _ bits: UInt64) {
        leaves.append(marker)
        Self.append(bits, 8, to: &leaves)
    }

    // MARK: Bytes

    private func bytes() -> [UInt8] {
        let referenceByteCount = Self.byteCount(of: objects.count - 1)
        var bytes = BinaryReader.signature
        bytes.reserveCapacity(leaves.count + references.count * referenceByteCount + objects.count * 8 + 40)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .leaf(let range): bytes.append(contentsOf: leaves[range])
            case .container(let marker, let range):
                Self.appendHead(marker, marker == 0xD ? range.count / 2 : range.count, to: &bytes)
                for reference in references[range] { Self.append(UInt64(reference), referenceByteCount, to: &bytes) }
            }
        }
        let table = bytes.count
        let offsetByteCount = Self.byteCount(of: table)
        for offset in offsets { Self.append(UInt64(offset), offsetByteCount, to: &bytes) }
        // Unused, and a version of the order that is always 0.
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetByteCount), UInt8(referenceByteCount)]
        for number in [objects.count, 0, table] { Self.append(UInt64(number), 8, to: &bytes) }
        return bytes
    }

    private static func appendHead(_ marker: UInt8, _ count: Int, to bytes: inout [UInt8]) {
        guard count >= 15 else { return bytes.append(marker << 4 | UInt8(count)) }
        let byteCount = byteCount(of: count)
        bytes.append(marker << 4 | 0x0F)
        bytes.append(0x10 | UInt8(byteCount.trailingZeroBitCount))
        append(UInt64(count), byteCount, to: &bytes)
    }

    /// How many bytes a number takes: 1, 2, 4 or 8.
    private static func byteCount(of number: Int) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }

    private static func append(_ number: UInt64, _ byteCount: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}
