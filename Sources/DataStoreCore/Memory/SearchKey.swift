/// A key together with its first bytes as integers, so that most comparisons of a search compare integers instead of
/// strings.
struct SearchKey: Sendable {
    let key: Key
    private let prefixes: Prefixes

    /// The first bytes of a key as big-endian integers, padded with zeros: 8 bytes of the collection name, and 16 bytes
    /// of the id.
    ///
    /// A name or id contains no zero byte after its first byte. If the last byte of an integer is zero, the text
    /// therefore ends within this integer.
    struct Prefixes: Sendable {
        fileprivate let collection: UInt64
        fileprivate let id: (UInt64, UInt64)

        init(of key: borrowing Key) {
            collection = key.collection.prefixes.first
            id = key.id.prefixes
        }
    }

    init(_ key: Key) {
        self.key = key
        prefixes = Prefixes(of: key)
    }

    /// Compares two keys. The result is negative if this key comes first, 0 if the keys are equal, and positive
    /// otherwise.
    func order(to other: SearchKey) -> Int { other.order(of: key, prefixes) }

    /// Compares a key, whose prefixes are given, with this key. The result is negative if the given key comes first, 0
    /// if the keys are equal, and positive otherwise.
    @inline(__always)
    func order(of other: Key, _ its: Prefixes) -> Int {
        if its.collection != prefixes.collection { return its.collection < prefixes.collection ? -1 : 1 }
        // If the last byte is zero, the integer contains the whole name.
        if its.collection & 0xFF != 0 {
            let order = other.collection.byteOrder(to: key.collection)
            if order != 0 { return order }
        }
        if its.id.0 != prefixes.id.0 { return its.id.0 < prefixes.id.0 ? -1 : 1 }
        if its.id.1 != prefixes.id.1 { return its.id.1 < prefixes.id.1 ? -1 : 1 }
        return its.id.1 & 0xFF == 0 ? 0 : other.id.byteOrder(to: key.id)
    }
}

extension String {
    /// The first and the second eight bytes of the UTF-8 as big-endian integers, padded with zeros after the end.
    @inline(__always)
    fileprivate var prefixes: (first: UInt64, second: UInt64) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Array(utf8.prefix(16)).span.prefixes
        }
        return utf8.span.prefixes
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate var prefixes: (first: UInt64, second: UInt64) { (bytes(0, count), bytes(8, count)) }

    @inline(__always)
    private func bytes(_ start: Int, _ count: Int) -> UInt64 {
        guard start < count else { return 0 }
        let end = Swift.min(start + 8, count)
        var number: UInt64 = 0
        for index in start..<end { number = number << 8 | UInt64(self[index]) }
        return number << UInt64(8 * (8 - (end - start)))
    }
}
