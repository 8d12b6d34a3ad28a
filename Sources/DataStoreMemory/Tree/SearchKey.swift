import DataStoreCore

/// A key together with its first bytes as integers, so that most comparisons of a search compare integers instead of
/// strings.
struct SearchKey: Sendable {
    let key: Key
    /// The first 8 bytes of the collection name as a big-endian integer, padded with zeros. ``id`` contains the first
    /// 16 bytes of the id as two such integers.
    ///
    /// A name or id contains no zero byte after its first byte. If the last byte of an integer is zero, the text
    /// therefore ends within this integer.
    private let collection: UInt64
    private let id: (UInt64, UInt64)

    init(_ key: Key) {
        self.key = key
        collection = key.collection.bytes(from: 0)
        id = (key.id.bytes(from: 0), key.id.bytes(from: 8))
    }

    /// Compares two keys. The result is negative if this key comes first, 0 if the keys are equal, and positive
    /// otherwise.
    @inline(__always)
    func order(to other: SearchKey) -> Int {
        if collection != other.collection { return collection < other.collection ? -1 : 1 }
        // If the last byte is zero, the integer contains the whole name.
        if collection & 0xFF != 0 {
            let order = key.collection.byteOrder(to: other.key.collection)
            if order != 0 { return order }
        }
        if id.0 != other.id.0 { return id.0 < other.id.0 ? -1 : 1 }
        if id.1 != other.id.1 { return id.1 < other.id.1 ? -1 : 1 }
        return id.1 & 0xFF == 0 ? 0 : key.id.byteOrder(to: other.key.id)
    }
}

extension String {
    /// Returns eight bytes of the UTF-8 from a position as a big-endian integer, padded with zeros after the end.
    fileprivate func bytes(from start: Int) -> UInt64 {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            let bytes = utf8.dropFirst(start).prefix(8)
            return bytes.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - bytes.count))
        }
        let bytes = utf8.span
        let end = min(start + 8, bytes.count)
        guard start < end else { return 0 }
        var number: UInt64 = 0
        for index in start..<end { number = number << 8 | UInt64(bytes[index]) }
        return number << UInt64(8 * (8 - (end - start)))
    }
}
