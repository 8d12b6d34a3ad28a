public import DataStoreCore

/// A key as LMDB orders it: the collection's name, a NUL, the id. Neither has a NUL, so LMDB's byte order is the order
/// of ids within a collection, and collections never mix.
///
/// Keys that begin with a NUL are the store's own.
@usableFromInline
package enum KeyBytes {
    /// The key under which a store keeps its format's version.
    package static let format: [UInt8] = [0] + Array("format".utf8)

    /// Gives the bytes of a key to a closure, from the stack.
    @inlinable @inline(__always)
    package static func with<Result, Failure>(
        _ key: Key, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try with(key.collection, key.id.utf8, body)
    }

    /// Gives the bytes of a key, or those that the keys of a range begin with, to a closure, from the stack.
    @inlinable @inline(__always)
    package static func with<Result, Failure>(
        _ collection: String, _ id: some Collection<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let separator = collection.utf8.count
        let count = separator + 1 + id.count
        // The buffer is uninitialized memory of just `count` bytes; the three writes initialize all of it.
        return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) {
            (buffer) throws(Failure) in
            _ = unsafe buffer.initialize(from: collection.utf8)
            unsafe buffer.initializeElement(at: separator, to: 0)
            _ = unsafe buffer[(separator + 1)...].initialize(from: id)
            return try body(unsafe UnsafeBufferPointer(buffer).span)
        }
    }

    /// The first bytes of every key of a collection.
    package static func prefix(_ collection: String) -> [UInt8] { Array(collection.utf8) + [0] }

    /// The key of an id in the environment. It is not looked at as a new one is: the checksum of a record is of its
    /// key, too.
    package static func kept(_ id: Span<UInt8>, in collection: String) throws(DataStoreError) -> Key {
        guard let id = String(utf8: id) else {
            throw DataStoreError(.corrupted, "a key of the collection \(collection) is not UTF-8")
        }
        return Key(kept: id, in: collection)
    }

    /// The key of bytes in the environment, of whatever collection.
    package static func key(of bytes: Span<UInt8>) throws(DataStoreError) -> Key {
        // What the port keeps itself is in collections that begin with a NUL.
        guard let separator = bytes.indices.first(where: { bytes[$0] == 0 && $0 > 0 }),
            let collection = String(utf8: bytes.extracting(first: separator))
        else { throw DataStoreError(.corrupted, "its key is not one of a store") }
        let kept = try kept(bytes.extracting(droppingFirst: separator + 1), in: collection)
        if kept.isOfIndex { return kept }
        do {
            return try Key(collection: collection, id: kept.id)
        } catch {
            throw DataStoreError(.corrupted, "a key of the collection \(collection) is damaged", underlying: error)
        }
    }

    /// Bytes that may be a key as text that can be shown: the key, or where they are none whatever they are.
    package static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = Array(bytes)
        do {
            return try key(of: bytes.span).description
        } catch {
            return String(decoding: bytes, as: UTF8.self).escapingControlCharacters
        }
    }
}
