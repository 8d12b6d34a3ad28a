/// The parameters of a statement in binary form, in one buffer.
struct Parameters {
    private(set) var bytes: [UInt8] = []
    /// The range of each parameter in ``bytes``.
    private(set) var ranges: [Range<Int>] = []

    init() {}

    init(_ bytes: [UInt8]) { append(bytes) }

    mutating func append(_ parameter: [UInt8]) {
        append { $0 += parameter }
    }

    /// Appends a `bigint`.
    mutating func append(_ number: Int) {
        append { bytes in
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
    }

    /// Appends a `bytea[]`.
    mutating func append(_ array: ByteaArray) {
        append { array.write(to: &$0) }
    }

    private mutating func append(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        ranges.append(start..<bytes.count)
    }
}

/// The elements of a `bytea[]` in the binary form of PostgreSQL.
struct ByteaArray {
    private static let byteaType: UInt32 = 17
    private var elements: [UInt8] = []
    private(set) var count = 0

    /// The size of the elements in bytes, including the 4-byte length before each element.
    var byteCount: Int { elements.count }

    init() {}

    init(_ elements: some Sequence<[UInt8]>) {
        for element in elements { append(element.span) }
    }

    mutating func append(_ element: Span<UInt8>) {
        Self.append(UInt32(truncatingIfNeeded: element.count), to: &elements)
        elements.reserveCapacity(elements.count + element.count)
        for index in element.indices { elements.append(element[index]) }
        count += 1
    }

    fileprivate func write(to bytes: inout [UInt8]) {
        // One dimension, no NULL, the type of the elements, their number, and the index of the first one.
        for number in [count == 0 ? 0 : 1, 0, Self.byteaType] { Self.append(number, to: &bytes) }
        guard count > 0 else { return }
        for number in [UInt32(truncatingIfNeeded: count), 1] { Self.append(number, to: &bytes) }
        bytes += elements
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
