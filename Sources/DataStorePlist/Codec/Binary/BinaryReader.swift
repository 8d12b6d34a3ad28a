/// A reader of the objects of a binary property list. It never reads out of bounds, even if the file is damaged.
struct BinaryReader {
    static let signature = Array("bplist00".utf8)
    private static let trailerByteCount = 32

    let bytes: [UInt8]
    /// The position of each object, in bytes from the start of the file. An invalid position causes an error only when
    /// the object is read.
    let offsets: [Int]
    let referenceByteCount: Int
    /// The number of the root object.
    let root: Int
    /// The position after the last object, in bytes from the start of the file.
    let end: Int

    /// Reads the trailer and the positions of the objects. Throws ``PropertyListError`` if the trailer is missing or
    /// invalid.
    init(_ bytes: [UInt8]) throws(PropertyListError) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerByteCount
        guard trailer > Self.signature.count else {
            throw PropertyListError("the file ends before its trailer", at: bytes.count)
        }
        let offsetByteCount = Int(bytes[trailer + 6])
        referenceByteCount = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount),
            let count = Self.number(in: bytes, trailer + 8..<trailer + 16),
            let root = Self.number(in: bytes, trailer + 16..<trailer + 24),
            let table = Self.number(in: bytes, trailer + 24..<trailer + 32),
            (Self.signature.count..<trailer).contains(table),
            (1...(trailer - table)).contains(count), count <= (trailer - table) / offsetByteCount, root < count
        else { throw PropertyListError("the trailer is invalid", at: trailer) }
        self.root = root
        end = table
        offsets = stride(from: table, to: table + count * offsetByteCount, by: offsetByteCount).map {
            Self.number(in: bytes, $0..<$0 + offsetByteCount) ?? -1
        }
    }

    /// Creates a reader for objects that were found without the trailer. The first object is the root, because all
    /// programs write it first.
    init(_ bytes: [UInt8], objectsAt offsets: [Int], end: Int, referenceByteCount: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.end = end
        self.referenceByteCount = referenceByteCount
        root = 0
    }

    /// Returns the object that has the given number. Throws ``PropertyListError`` if no valid object has this number.
    func object(_ number: Int) throws(PropertyListError) -> BinaryObject {
        guard offsets.indices.contains(number) else { throw noObject(number) }
        return try object(at: offsets[number])
    }

    func noObject(_ number: Int) -> PropertyListError {
        PropertyListError("the object \(number) does not exist", at: end)
    }

    /// Returns the object at a position. Throws ``PropertyListError`` if no valid object begins there.
    func object(at start: Int) throws(PropertyListError) -> BinaryObject {
        guard (Self.signature.count..<end).contains(start) else {
            throw PropertyListError("the position \(start) of an object is out of range", at: end)
        }
        let marker = bytes[start]
        let low = Int(marker & 0x0F)
        switch (marker >> 4, low) {
        case (0, 0): return try object(.null, start, 0)
        case (0, 8): return try object(.no, start, 0)
        case (0, 9): return try object(.yes, start, 0)
        case (1, 0...4): return try object(.integer, start, 1 << low)
        case (2, 2...3): return try object(.real, start, 1 << low)
        case (3, 3): return try object(.date, start, 8)
        case (4, _): return try object(.data, start, unit: 1)
        case (5, _): return try object(.ascii, start, unit: 1)
        case (6, _): return try object(.utf16, start, unit: 2)
        case (8, _): return try object(.uid, start, low + 1)
        case (10, _): return try object(.array, start, unit: referenceByteCount)
        case (11, _): return try object(.orderedSet, start, unit: referenceByteCount)
        case (12, _): return try object(.set, start, unit: referenceByteCount)
        case (13, _): return try object(.dictionary, start, unit: 2 * referenceByteCount)
        default:
            throw PropertyListError("no object begins with the byte 0x\(String(marker, radix: 16))", at: start)
        }
    }

    /// Returns whether an object is text, according to its first byte. Returns `false` if no object has the number.
    func isText(_ number: Int) -> Bool {
        guard offsets.indices.contains(number), bytes.indices.contains(offsets[number]) else { return false }
        return (5...6).contains(bytes[offsets[number]] >> 4)
    }

    /// Returns the numbers of the objects to which a container refers.
    func references(of object: BinaryObject) -> [Int] {
        stride(from: object.body.lowerBound, to: object.body.upperBound, by: referenceByteCount).map {
            reference(at: $0)
        }
    }

    /// Returns the reference at a position, or -1 if it exceeds `Int`.
    func reference(at start: Int) -> Int { Self.number(in: bytes, start..<start + referenceByteCount) ?? -1 }

    /// Returns the numbers of the keys and values of a dictionary.
    func entries(of dictionary: BinaryObject) -> Zip2Sequence<ArraySlice<Int>, ArraySlice<Int>> {
        let references = references(of: dictionary)
        return zip(references[..<(references.count / 2)], references[(references.count / 2)...])
    }

    /// Returns an unsigned big-endian number, or `nil` if it exceeds `Int`.
    private static func number(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        Int(exactly: range.reduce(0 as UInt64) { $0 << 8 | UInt64(bytes[$1]) })
    }

    /// Returns an object whose length follows its marker. A length below 15 is in the first byte. A length of 15 or
    /// more is in the integer object that follows. The length is in units of `unit` bytes.
    private func object(_ kind: BinaryObject.Kind, _ start: Int, unit: Int) throws(PropertyListError) -> BinaryObject {
        let count = Int(bytes[start] & 0x0F)
        if count < 15 { return try object(kind, start, count * unit) }
        guard start + 1 < end, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0x0F <= 3 else {
            throw PropertyListError("the size of an object is missing", at: start)
        }
        let first = start + 2
        let byteCount = 1 << Int(bytes[start + 1] & 0x0F)
        guard byteCount <= end - first, let count = Self.number(in: bytes, first..<first + byteCount),
            case let (size, isTooLarge) = count.multipliedReportingOverflow(by: unit), !isTooLarge
        else { throw PropertyListError("an object extends beyond the objects", at: start) }
        return try object(kind, start, size, head: 2 + byteCount)
    }

    private func object(
        _ kind: BinaryObject.Kind, _ start: Int, _ byteCount: Int, head: Int = 1
    ) throws(PropertyListError) -> BinaryObject {
        guard byteCount <= end - start - head else {
            throw PropertyListError("an object extends beyond the objects", at: start)
        }
        let body = start + head..<start + head + byteCount
        return BinaryObject(kind: kind, marker: bytes[start] >> 4, start: start, body: body)
    }

    /// Returns a reader that finds the objects of a file whose trailer is damaged or missing. It assumes that the
    /// objects are contiguous and that the root is the first one.
    ///
    /// The size of a reference is also unknown. The scan uses the size with which most of the file is readable.
    ///
    /// - Returns: The reader, or `nil` if the first object is not a dictionary.
    static func scanning(_ bytes: [UInt8]) -> BinaryReader? {
        let candidates = [1, 2, 4, 8].compactMap { referenceByteCount -> (reader: BinaryReader, isPlausible: Bool)? in
            let reader = scanning(bytes, referenceByteCount: referenceByteCount)
            guard let root = reader.objectIfValid(at: signature.count), root.kind == .dictionary else { return nil }
            return (reader, reader.references(of: root).allSatisfy(reader.offsets.indices.contains))
        }
        let plausible = candidates.filter(\.isPlausible)
        return (plausible.isEmpty ? candidates : plausible).max { $0.reader.end < $1.reader.end }?.reader
    }

    private static func scanning(_ bytes: [UInt8], referenceByteCount: Int) -> BinaryReader {
        let all = BinaryReader(bytes, objectsAt: [], end: bytes.count, referenceByteCount: referenceByteCount)
        var offsets: [Int] = []
        var end = signature.count
        while let object = all.objectIfValid(at: end) {
            offsets.append(end)
            end = object.body.upperBound
        }
        return BinaryReader(bytes, objectsAt: offsets, end: end, referenceByteCount: referenceByteCount)
    }

    private func objectIfValid(at start: Int) -> BinaryObject? {
        do { return try object(at: start) } catch { return nil }
    }
}

/// A traversal of the objects of a binary property list. It computes an output for each object from the outputs of its
/// children.
///
/// Each object is visited at most once, regardless of the number of references, and without recursion. Time and memory
/// are therefore proportional to the size of the file.
struct BinaryTraversal<Output> {
    /// A closure that computes the output of an object. The outputs of a container's children are in the order of its
    /// references.
    typealias Compute = (BinaryObject, [Output]) throws(PropertyListError) -> Output

    /// A container whose children are being visited.
    private typealias Container = (number: Int, object: BinaryObject, references: [Int], outputs: [Output])

    let reader: BinaryReader
    /// The result of each visited object. While the children of a container are visited, its result is the error for a
    /// container that contains itself.
    private var results: [Result<Output, PropertyListError>?]
    /// The maximum total size in bytes of the objects that the traversal may still visit, initially twice the size of
    /// the file. The traversal fails if it exceeds the maximum. This happens only if objects overlap.
    private var remainingByteCount: Int

    init(_ reader: BinaryReader) {
        self.reader = reader
        results = Array(repeating: nil, count: reader.offsets.count)
        remainingByteCount = 2 * reader.bytes.count
    }

    /// Returns the output of an object.
    ///
    /// - Throws: The error of the first invalid object among this object and the objects that it contains. The error is
    ///   cached, so another object that contains the invalid one fails without visiting it again.
    mutating func output(of number: Int, _ compute: Compute) throws(PropertyListError) -> Output {
        if let output = try knownOutput(of: number, compute) { return output }
        var open: [Container] = []
        var number = number
        do throws(PropertyListError) {
            open.append(try begin(number))
            while var container = open.popLast() {
                number = container.number
                while container.outputs.count < container.references.count {
                    let reference = container.references[container.outputs.count]
                    if let output = try knownOutput(of: reference, compute) {
                        container.outputs.append(output)
                    } else {
                        open.append(container)
                        number = reference
                        container = try begin(reference)
                    }
                }
                let output = try compute(container.object, container.outputs)
                results[container.number] = .success(output)
                if open.isEmpty { return output }
                open[open.count - 1].outputs.append(output)
            }
            throw reader.noObject(number)
        } catch {
            for container in open { results[container.number] = .failure(error) }
            results[number] = .failure(error)
            throw error
        }
    }

    /// Returns the output of an object if it is a leaf or has been visited. Returns `nil` if it is an unvisited
    /// container.
    private mutating func knownOutput(of number: Int, _ compute: Compute) throws(PropertyListError) -> Output? {
        guard results.indices.contains(number) else { throw reader.noObject(number) }
        if let result = results[number] { return try result.get() }
        do throws(PropertyListError) {
            let object = try reader.object(number)
            if object.kind.isContainer { return nil }
            try count(object)
            let output = try compute(object, [])
            results[number] = .success(output)
            return output
        } catch {
            results[number] = .failure(error)
            throw error
        }
    }

    private mutating func begin(_ number: Int) throws(PropertyListError) -> Container {
        let object = try reader.object(number)
        try count(object)
        results[number] = .failure(PropertyListError("an object contains itself", at: object.start))
        let references = reader.references(of: object)
        if object.kind == .dictionary {
            for key in references.prefix(references.count / 2) where !reader.isText(key) {
                let offset = try reader.object(key).start
                throw PropertyListError("the key of a dictionary is not text", at: offset)
            }
        }
        var outputs: [Output] = []
        outputs.reserveCapacity(references.count)
        return (number, object, references, outputs)
    }

    private mutating func count(_ object: BinaryObject) throws(PropertyListError) {
        remainingByteCount -= object.body.upperBound - object.start
        guard remainingByteCount >= 0 else { throw PropertyListError("objects overlap", at: object.start) }
    }
}
