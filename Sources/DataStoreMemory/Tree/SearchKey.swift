import DataStoreCore

/// A key with its first bytes as numbers, so that most comparisons of a search are of numbers and not of strings.
struct SearchKey: Sendable {
    let key: Key
    /// The first 8 bytes of the collection's name, and the first 16 of the id, the first byte highest; zeros where
    /// there are fewer. No name and no id has a zero in it.
    private let collection: UInt64
    private let id: (UInt64, UInt64)

    init(_ key: Key) {
        self.key = key
        collection = key.collection.bytes(from: 0)
        id = (key.id.bytes(from: 0), key.id.bytes(from: 8))
    }

    /// Less than, equal to or greater than 0 where this key comes before, is, or comes after another one.
    @inline(__always)
    func order(to other: SearchKey) -> Int {
        if collection != other.collection { return collection < other.collection ? -1 : 1 }
        // A zero at the end: the name is no longer than that.
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
    /// Eight bytes of the UTF-8 as a number, the first one highest; zeros behind the end.
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
