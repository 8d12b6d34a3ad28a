/// The encoding of keys as bytes: the name of the collection, a NUL, and the id.
///
/// A store orders the keys of a collection by the bytes of their ids. A name contains no NUL after its first byte, so
/// the keys of two collections do not overlap.
///
/// Keys that begin with a NUL are reserved for the library.
@usableFromInline
package enum KeyBytes {
    /// The key under which a store keeps its format version.
    package static let format: [UInt8] = [0] + Array("format".utf8)

    /// Passes the bytes of a key to a closure, in a stack buffer.
    @inlinable @inline(__always)
    package static func with<Result, Failure>(
        _ key: Key, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let nameCount = key.collection.utf8.count
        let count = nameCount + 1 + key.id.utf8.count
        // The buffer is uninitialized memory of exactly `count` bytes. The three writes initialize all of it.
        return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { (buffer) throws(Failure) in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            unsafe key.collection.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<nameCount]))
            unsafe bytes[nameCount] = 0
            unsafe key.id.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: bytes[(nameCount + 1)...]))
            return try body(unsafe UnsafeBufferPointer(buffer).span)
        }
    }

    /// Passes the bytes of two keys to a closure, in stack buffers. The keys bound the records whose ids are in `ids`:
    /// the lower bound is inclusive, and the upper bound is exclusive.
    @inlinable @inline(__always)
    package static func withBounds<Result, Failure>(
        of ids: IDRange, in collection: String, _ body: (Span<UInt8>, Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let nameCount = collection.utf8.count
        let startCount = nameCount + 1 + ids.lower.count
        let endCount = ids.isPrefix ? startCount + 1 : nameCount + 1 + (ids.explicitUpper?.count ?? 0)
        // Each buffer is uninitialized memory of exactly the given size. The copies initialize all of it.
        return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: startCount) {
            (lower) throws(Failure) in
            let start = UnsafeMutableRawBufferPointer(lower)
            unsafe collection.copyBytes(to: start)
            unsafe start[nameCount] = 0
            unsafe ids.lower.copyBytes(to: start, at: nameCount + 1)
            return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: endCount) {
                (upper) throws(Failure) in
                let end = UnsafeMutableRawBufferPointer(upper)
                if ids.isPrefix {
                    unsafe end.copyMemory(from: UnsafeRawBufferPointer(start))
                    unsafe end[startCount] = IDRange.afterUTF8
                } else {
                    unsafe collection.copyBytes(to: end)
                    // The keys of a collection begin with its name and a 0 byte. The name and a 1 byte are therefore
                    // after all of them.
                    unsafe end[nameCount] = ids.explicitUpper == nil ? 1 : 0
                    unsafe ids.explicitUpper?.copyBytes(to: end, at: nameCount + 1)
                }
                return try body(unsafe UnsafeBufferPointer(lower).span, unsafe UnsafeBufferPointer(upper).span)
            }
        }
    }

    /// Returns the common prefix of all keys of a collection.
    package static func prefix(_ collection: String) -> [UInt8] { Array(collection.utf8) + [0] }

    /// Creates a key from the bytes of an id that a store has returned. Throws `DataStoreError` with the code
    /// `corrupted` if the id is not UTF-8. The id is not validated further, because the checksum of the record covers
    /// the key.
    @inlinable @inline(__always)
    package static func stored(_ id: Span<UInt8>, in collection: String) throws(DataStoreError) -> Key {
        guard let id = String(utf8: id) else {
            throw DataStoreError(.corrupted, "a key of the collection \(collection) is not UTF-8")
        }
        return Key(stored: id, in: collection)
    }

    /// Decodes the bytes of a key of any collection. Throws `DataStoreError` with the code `corrupted` if they are not
    /// a valid key.
    package static func key(of bytes: Span<UInt8>) throws(DataStoreError) -> Key {
        // The first byte may be a NUL, with which the names of the library's own collections begin.
        guard let separator = bytes.indices.first(where: { bytes[$0] == 0 && $0 > 0 }),
            let collection = String(utf8: bytes.extracting(first: separator))
        else { throw DataStoreError(.corrupted, "a key has no valid collection name") }
        let stored = try stored(bytes.extracting(droppingFirst: separator + 1), in: collection)
        if stored.isOfIndex { return stored }
        do {
            return try Key(collection: collection, id: stored.id)
        } catch {
            throw DataStoreError(.corrupted, "a key of the collection \(collection) is damaged", underlying: error)
        }
    }

    /// Returns a key as text for display. If the bytes do not encode a key, returns them as UTF-8 text in which control
    /// characters are escaped.
    package static func text(of bytes: ArraySlice<UInt8>) -> String {
        let bytes = Array(bytes)
        do {
            return try key(of: bytes.span).description
        } catch {
            return String(decoding: bytes, as: UTF8.self).escapingControlCharacters
        }
    }
}
