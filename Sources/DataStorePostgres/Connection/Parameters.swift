/// The parameters of a statement in binary form, in one buffer.
struct Parameters: Equatable {
    private(set) var bytes: [UInt8] = []
    /// The range of each parameter in ``bytes``.
    private(set) var ranges: [Range<Int>] = []

    init() {}

    init(_ bytes: [UInt8]) { append(bytes) }

    init(_ bytes: Span<UInt8>) { append { $0.append(bytes) } }

    init(_ number: Int) { append(number) }

    init(_ array: ByteaArray) { append(array) }

    mutating func append(_ parameter: some Collection<UInt8>) {
        append { $0 += parameter }
    }

    /// Appends a `bigint`.
    mutating func append(_ number: Int) {
        append { $0.append(bigEndian: Int64(number)) }
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
    /// The elements, each after its length in 4 bytes.
    private var elements: [UInt8] = []
    private(set) var count = 0

    /// The size of the elements in bytes, including the 4-byte length before each element.
    var byteCount: Int { elements.count }

    /// The bytes of the only element.
    ///
    /// - Precondition: The array has one element.
    var single: ArraySlice<UInt8> { elements[4...] }

    mutating func append(_ element: Span<UInt8>) {
        elements.append(bigEndian: UInt32(truncatingIfNeeded: element.count))
        elements.append(element)
        count += 1
    }

    fileprivate func write(to bytes: inout [UInt8]) {
        // One dimension, no NULL, the type of the elements, their number, and the index of the first one.
        for number in [count == 0 ? 0 : 1, 0, Self.byteaType] { bytes.append(bigEndian: number) }
        guard count > 0 else { return }
        for number in [UInt32(truncatingIfNeeded: count), 1] { bytes.append(bigEndian: number) }
        bytes += elements
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ span: Span<UInt8>) {
        // The buffer is valid during the call.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }
}
