/// The objects of a binary property list. Every access is within bounds, whatever the file says.
struct BinaryReader {
    static let signature = Array("bplist00".utf8)
    private static let trailerByteCount = 32

    let bytes: [UInt8]
    /// Where each object begins.
    let offsets: [Int]
    /// How many bytes a reference has.
    let referenceByteCount: Int
    /// The number of the object that all others are in.
    let root: Int
    /// Where the objects end.
    let end: Int

    /// Reads the trailer, and by it where the objects are.
    init(_ bytes: [UInt8]) throws(ParseFailure) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerByteCount
        guard trailer > Self.signature.count else {
            throw ParseFailure(reason: "the file ends before its trailer", offset: bytes.count)
        }
        let offsetByteCount = Int(bytes[trailer + 6])
        referenceByteCount = Int(bytes[trailer + 7])
        let numbers = [8, 16, 24].map { Self.number(in: bytes, trailer + $0..<trailer + $0 + 8) }
        guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount),
            let count = numbers[0], let root = numbers[1], let table = numbers[2],
            (Self.signature.count..<trailer).contains(table), (1...trailer - table).contains(count),
            case let (tableByteCount, isTooLarge) = count.multipliedReportingOverflow(by: offsetByteCount),
            !isTooLarge, tableByteCount <= trailer - table, root < count
        else { throw ParseFailure(reason: "the trailer is damaged", offset: trailer) }
        self.root = root
        end = table
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            let place = table + index * offsetByteCount
            // Where the offset is none, whoever comes to the object is told.
            offsets.append(Self.number(in: bytes, place..<place + offsetByteCount) ?? -1)
        }
        self.offsets = offsets
    }

    /// Takes objects that were found one after the other, where the trailer is damaged. All programs write the root first.
    init(_ bytes: [UInt8], objectsAt offsets: [Int], end: Int, referenceByteCount: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.end = end
        self.referenceByteCount = referenceByteCount
        root = 0
    }

    /// An object by its number.
    func object(_ number: Int) throws(ParseFailure) -> BinaryObject {
        guard offsets.indices.contains(number) else {
            throw ParseFailure(reason: "there is no object \(number)", offset: end)
        }
        return try object(at: offsets[number])
    }

    /// The object that begins at a place.
    func object(at start: Int) throws(ParseFailure) -> BinaryObject {
        guard (Self.signature.count..<end).contains(start) else {
            throw ParseFailure(reason: "an object is said to be beyond the others, at byte \(start)", offset: end)
        }
        let marker = bytes[start]
        switch (marker >> 4, marker & 0x0F) {
        case (0, 0): return try object(.null, start, 0)
        case (0, 8): return try object(.no, start, 0)
        case (0, 9): return try object(.yes, start, 0)
        case (1, let power) where power <= 4: return try object(.integer, start, 1 << Int(power))
        case (2, let power) where power == 2 || power == 3: return try object(.real, start, 1 << Int(power))
        case (3, 3): return try object(.date, start, 8)
        case (4, _): return try object(.data, start, unit: 1)
        case (5, _): return try object(.ascii, start, unit: 1)
        case (6, _): return try object(.utf16, start, unit: 2)
        case (8, let less): return try object(.uid, start, Int(less) + 1)
        case (10, _): return try object(.array, start, unit: referenceByteCount)
        case (11, _): return try object(.orderedSet, start, unit: referenceByteCount)
        case (12, _): return try object(.set, start, unit: referenceByteCount)
        case (13, _): return try object(.dictionary, start, unit: 2 * referenceByteCount)
        default:
            throw ParseFailure(reason: "no object begins with the byte 0x\(String(marker, radix: 16))", offset: start)
        }
    }

    /// The objects that a container refers to.
    func references(of object: BinaryObject) -> [Int] {
        stride(from: object.body.lowerBound, to: object.body.upperBound, by: referenceByteCount).map {
            Self.number(in: bytes, $0..<$0 + referenceByteCount) ?? -1
        }
    }

    /// An unsigned big-endian number; nil where it is beyond `Int`. The range is within the bytes.
    static func number(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        var number: UInt64 = 0
        for index in range {
            guard number >> 56 == 0 else { return nil }
            number = number << 8 | UInt64(bytes[index])
        }
        return Int(exactly: number)
    }

    private func object(_ kind: BinaryObject.Kind, _ start: Int, unit: Int) throws(ParseFailure) -> BinaryObject {
        let few = Int(bytes[start] & 0x0F)
        if few < 15 { return try object(kind, start, few * unit) }
        // The count is an integer that follows.
        guard start + 1 < end, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0x0F <= 3 else {
            throw ParseFailure(reason: "an object has no count", offset: start)
        }
        let first = start + 2
        let byteCount = 1 << Int(bytes[start + 1] & 0x0F)
        guard first + byteCount <= end, let count = Self.number(in: bytes, first..<first + byteCount),
            case let (size, isTooLarge) = count.multipliedReportingOverflow(by: unit), !isTooLarge
        else { throw ParseFailure(reason: "an object goes beyond the others", offset: start) }
        return try object(kind, start, size, head: 2 + byteCount)
    }

    private func object(
        _ kind: BinaryObject.Kind, _ start: Int, _ byteCount: Int, head: Int = 1
    ) throws(ParseFailure) -> BinaryObject {
        guard byteCount <= end - start - head else {
            throw ParseFailure(reason: "an object goes beyond the others", offset: start)
        }
        return BinaryObject(
            kind: kind, marker: bytes[start] >> 4, start: start, body: start + head..<start + head + byteCount)
    }
}
