/// A reader of the objects of a binary property list. It never reads out of bounds, even if the file is damaged.
struct BinaryReader {
    static let signature = Array("bplist00".utf8)
    private static let trailerByteCount = 32

    let bytes: [UInt8]
    /// The position of each object, in bytes from the start of the file. An invalid position causes an error only when
    /// the object is read.
    private(set) var offsets: [Int]
    let referenceByteCount: Int
    /// The number of the root object.
    let root: Int
    /// The position after the last object, in bytes from the start of the file.
    private(set) var end: Int

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

    /// Finds the objects of a file whose trailer is damaged or missing. The objects are contiguous. The first one is
    /// the root, because all programs write it first.
    private init(scanning bytes: [UInt8], referenceByteCount: Int) {
        self.bytes = bytes
        self.referenceByteCount = referenceByteCount
        root = 0
        offsets = []
        end = bytes.count
        var next = Self.signature.count
        while let object = objectIfValid(at: next) {
            offsets.append(next)
            next = object.body.upperBound
        }
        end = next
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
        let low = Int(bytes[start] & 0x0F)
        guard let kind = BinaryObject.Kind(firstByte: bytes[start]) else { throw invalidByte(at: start) }
        // The size of most objects is a count in the first byte, in units of some bytes.
        var (count, unit, body) = (low, 1, start + 1)
        switch kind {
        case .null, .no, .yes: unit = 0
        case .integer where low <= 4, .real where low == 2 || low == 3, .date where low == 3: count = 1 << low
        case .integer, .real, .date: throw invalidByte(at: start)
        case .uid: count = low + 1
        case .data, .ascii: break
        case .utf16: unit = 2
        case .array, .orderedSet, .set: unit = referenceByteCount
        case .dictionary: unit = 2 * referenceByteCount
        }
        if low == 15, kind != .uid {
            // The count is an integer object after the first byte.
            guard body < end, bytes[body] >> 4 == 1, bytes[body] & 0x0F <= 3 else {
                throw PropertyListError("the size of an object is missing", at: start)
            }
            body += 1 + 1 << Int(bytes[body] & 0x0F)
            count = body <= end ? Self.number(in: bytes, start + 2..<body) ?? .max : .max
        }
        guard case let (size, isTooLarge) = count.multipliedReportingOverflow(by: unit), !isTooLarge, size <= end - body
        else { throw PropertyListError("an object extends beyond the objects", at: start) }
        return BinaryObject(kind: kind, start: start, body: body..<body + size)
    }

    private func invalidByte(at start: Int) -> PropertyListError {
        PropertyListError("no object begins with the byte 0x\(String(bytes[start], radix: 16))", at: start)
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

    /// Returns a reader for a file whose trailer is damaged or missing.
    ///
    /// The size of a reference is unknown, too. The reader uses the size with which most of the file is readable, and
    /// the root, if possible.
    static func scanning(_ bytes: [UInt8]) -> BinaryReader {
        var best = BinaryReader(scanning: bytes, referenceByteCount: 1)
        for referenceByteCount in [2, 4, 8] {
            let other = BinaryReader(scanning: bytes, referenceByteCount: referenceByteCount)
            if (best.hasRoot ? 1 : 0, best.end) < (other.hasRoot ? 1 : 0, other.end) { best = other }
        }
        return best
    }

    /// Whether the first object refers only to objects that exist.
    private var hasRoot: Bool {
        guard let root = objectIfValid(at: Self.signature.count) else { return false }
        return references(of: root).allSatisfy(offsets.indices.contains)
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
    private typealias Visit = (number: Int, object: BinaryObject, references: [Int], outputs: [Output])

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
        var next = number
        // The innermost container that is being visited. A local variable is faster than the end of the array.
        var visit: Visit?
        var outer: [Visit] = []
        do throws(PropertyListError) {
            while true {
                guard results.indices.contains(next) else { throw reader.noObject(next) }
                if let result = results[next] {
                    let output = try result.get()
                    if visit == nil { return output }
                    visit?.outputs.append(output)
                } else {
                    let object = try reader.object(next)
                    remainingByteCount -= object.body.upperBound - object.start
                    guard remainingByteCount >= 0 else { throw PropertyListError("objects overlap", at: object.start) }
                    guard object.kind.isContainer else {
                        results[next] = .success(try compute(object, []))
                        continue
                    }
                    let inner = try begin(next, object)
                    if let visit { outer.append(visit) }
                    visit = inner
                    results[next] = .failure(PropertyListError("an object contains itself", at: object.start))
                }
                guard let current = visit else { continue }
                if current.outputs.count < current.references.count {
                    next = current.references[current.outputs.count]
                } else {
                    results[current.number] = .success(try compute(current.object, current.outputs))
                    next = current.number
                    visit = outer.popLast()
                }
            }
        } catch {
            if results.indices.contains(next), results[next] == nil { results[next] = .failure(error) }
            for failed in outer + (visit.map { [$0] } ?? []) { results[failed.number] = .failure(error) }
            throw error
        }
    }

    private func begin(_ number: Int, _ object: BinaryObject) throws(PropertyListError) -> Visit {
        let references = reader.references(of: object)
        let keys = object.kind == .dictionary ? references.prefix(references.count / 2) : []
        for key in keys where !reader.isText(key) {
            throw PropertyListError("the key of a dictionary is not text", at: try reader.object(key).start)
        }
        var outputs: [Output] = []
        outputs.reserveCapacity(references.count)
        return (number, object, references, outputs)
    }
}
