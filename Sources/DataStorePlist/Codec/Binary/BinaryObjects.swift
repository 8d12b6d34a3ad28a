/// An object of a binary property list: its kind and the range of its contents.
struct BinaryObject {
    /// The kind of an object: its first byte, of which the lower half is the size of most objects and 0 here.
    enum Kind: UInt8 {
        case null = 0x00
        case no = 0x08
        case yes = 0x09
        /// A big-endian integer of 1, 2, 4, 8 or 16 bytes. It is signed only if it has at least 8 bytes.
        case integer = 0x10
        /// A big-endian floating-point number of 4 or 8 bytes.
        case real = 0x20
        /// The seconds since the start of 2001, as a floating-point number of 8 bytes.
        case date = 0x30
        case data = 0x40
        case ascii = 0x50
        case utf16 = 0x60
        /// A reference in a keyed archive.
        case uid = 0x80
        case array = 0xA0
        case orderedSet = 0xB0
        case set = 0xC0
        /// The references of all keys, followed by those of all values.
        case dictionary = 0xD0

        init?(firstByte: UInt8) { self.init(rawValue: firstByte < 0x10 ? firstByte : firstByte & 0xF0) }

        /// Whether the object contains references to objects.
        var isContainer: Bool { rawValue >= Kind.array.rawValue }

        var isText: Bool { self == .ascii || self == .utf16 }
    }

    let kind: Kind
    /// The position of the object's first byte in the file.
    let start: Int
    /// The range of the bytes of a number or text, or of the references of a container.
    let body: Range<Int>
}

/// The objects of a binary property list that is being written.
///
/// Objects and references are stored separately, because the size of a reference depends on the number of objects.
package struct BinaryObjects: Sendable {
    /// The minimum size in bytes of an object that is written only once even if it occurs several times.
    static let sharedByteCount = 64

    /// The references of all containers, as object numbers. The references of each container are contiguous.
    var references: [Int] = []

    /// All objects. The root dictionary is the first one, so that recovery finds it if the end of the file is lost.
    ///
    /// A container has a kind and a range of `references`. Any other object has a range of `leaves`.
    private var objects: [(container: BinaryObject.Kind?, range: Range<Int>)] = [(.dictionary, 0..<0)]
    /// The keys and the values of the root dictionary.
    private var root: (keys: [Int], values: [Int]) = ([], [])
    private var leaves: [UInt8] = []
    /// The object numbers of large leaves, keyed by the hash value of the leaf.
    private var largeLeaves: [Int: [Int]] = [:]

    // MARK: Adding

    /// Adds a container and reserves space for its references.
    ///
    /// - Parameters:
    ///   - kind: The kind of the container.
    ///   - count: The number of references.
    /// - Returns: The number of the object and the index of its first reference.
    mutating func container(_ kind: BinaryObject.Kind, _ count: Int) -> (number: Int, first: Int) {
        let first = references.count
        references += repeatElement(0, count: count)
        objects.append((kind, first..<first + count))
        return (objects.count - 1, first)
    }

    /// Adds a container with references to existing objects, and returns the number of the object.
    mutating func container(_ kind: BinaryObject.Kind, _ numbers: [Int]) -> Int {
        let (number, first) = container(kind, numbers.count)
        references.replaceSubrange(first..., with: numbers)
        return number
    }

    /// Adds an entry to the root dictionary, given by the object numbers of the key and the value.
    mutating func addToRoot(_ key: Int, _ value: Int) {
        root.keys.append(key)
        root.values.append(value)
    }

    /// Adds an object that is not a container. If the object has at least ``sharedByteCount`` bytes and an equal one
    /// already exists, adds nothing.
    ///
    /// - Parameter write: A closure that appends the bytes of the object to its argument.
    /// - Returns: The number of the added object, or of the equal one.
    mutating func leaf(_ write: (inout [UInt8]) -> Void) -> Int {
        let start = leaves.count
        write(&leaves)
        let range = start..<leaves.count
        if range.count >= Self.sharedByteCount {
            var hasher = Hasher()
            // The call only reads the bytes.
            unsafe leaves[range].withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            let hash = hasher.finalize()
            for number in largeLeaves[hash, default: []] where leaves[objects[number].range] == leaves[range] {
                leaves.removeLast(range.count)
                return number
            }
            largeLeaves[hash, default: []].append(objects.count)
        }
        objects.append((nil, range))
        return objects.count - 1
    }

    // MARK: Bytes

    /// Returns the bytes of the finished file.
    mutating func bytes() -> [UInt8] {
        objects[0].range = references.count..<references.count + 2 * root.keys.count
        references += root.keys + root.values
        let referenceByteCount = Self.byteCount(of: UInt64(objects.count - 1))
        var bytes = BinaryReader.signature
        bytes.reserveCapacity(leaves.count + references.count * referenceByteCount + objects.count * 8 + 40)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for (container, range) in objects {
            offsets.append(bytes.count)
            guard let container else {
                bytes.append(contentsOf: leaves[range])
                continue
            }
            Self.appendHead(container, container == .dictionary ? range.count / 2 : range.count, to: &bytes)
            for reference in references[range] { Self.append(UInt64(reference), referenceByteCount, to: &bytes) }
        }
        let table = bytes.count
        let offsetByteCount = Self.byteCount(of: UInt64(table))
        for offset in offsets { Self.append(UInt64(offset), offsetByteCount, to: &bytes) }
        // The trailer begins with five unused bytes and the sort version, which is always 0.
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetByteCount), UInt8(referenceByteCount)]
        for number in [objects.count, 0, table] { Self.append(UInt64(number), 8, to: &bytes) }
        return bytes
    }

    /// Appends the first byte of an object. If the count does not fit into this byte, an integer with the count
    /// follows.
    static func appendHead(_ kind: BinaryObject.Kind, _ count: Int, to bytes: inout [UInt8]) {
        guard count >= 15 else { return bytes.append(kind.rawValue | UInt8(count)) }
        bytes.append(kind.rawValue | 0x0F)
        appendInteger(UInt64(count), to: &bytes)
    }

    /// Appends an integer object. Integers of 8 bytes are signed, and shorter ones are unsigned.
    static func appendInteger(_ bits: UInt64, to bytes: inout [UInt8]) {
        let byteCount = byteCount(of: bits)
        bytes.append(BinaryObject.Kind.integer.rawValue | UInt8(byteCount.trailingZeroBitCount))
        append(bits, byteCount, to: &bytes)
    }

    /// Returns the number of bytes with which a number is written: 1, 2, 4 or 8.
    static func byteCount(of number: UInt64) -> Int {
        [1, 2, 4].first { number >> (8 * $0) == 0 } ?? 8
    }

    /// Appends a big-endian number.
    static func append(_ number: UInt64, _ byteCount: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: 8 * byteCount - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
