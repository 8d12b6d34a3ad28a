public import DataStoreCore

/// The encoding of keys in LMDB: the collection's name, a NUL, the id. Neither contains a NUL, so LMDB's byte order is
/// the order of ids within a collection, and collections do not overlap.
///
/// Keys that begin with a NUL are reserved for the store.
@usableFromInline
package enum KeyBytes {
    /// The key of the format version of a store.
    package static let format: [UInt8] = [0] + Array("format".utf8)

    /// Passes the bytes of a key to a closure, in a stack buffer.
    @inlinable @inline(__always)
    package static func with<Result, Failure>(
        _ key: Key, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try with(key.collection, key.id.utf8, body)
    }

    /// Passes the bytes of a key, or the common prefix of a range of keys, to a closure, in a stack buffer.
    @inlinable @inline(__always)
    package static func with<Result, Failure>(
        _ collection: String, _ id: some Collection<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let separator = collection.utf8.count
        let count = separator + 1 + id.count
        // The buffer is uninitialized memory of exactly `count` bytes. The three writes initialize all of it.
        return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) {
            (buffer) throws(Failure) in
            _ = unsafe buffer.initialize(from: collection.utf8)
            unsafe buffer.initializeElement(at: separator, to: 0)
            _ = unsafe buffer[(separator + 1)...].initialize(from: id)
            return try body(unsafe UnsafeBufferPointer(buffer).span)
        }
    }

    /// Returns the common prefix of all keys of a collection.
    package static func prefix(_ collection: String) -> [UInt8] { Array(collection.utf8) + [0] }

    /// Returns the key of an id that is stored in the environment. It is not validated like a new key, because the
    /// checksum of the record covers the key.
    package static func stored(_ id: Span<UInt8>, in collection: String) throws(DataStoreError) -> Key {
        guard let id = String(utf8: id) else {
            throw DataStoreError(.corrupted, "a key of the collection \(collection) is not UTF-8")
        }
        return Key(stored: id, in: collection)
    }

    /// Returns the key that bytes of the environment encode, in any collection.
    package static func key(of bytes: Span<UInt8>) throws(DataStoreError) -> Key {
        // The library's own collections begin with a NUL.
        guard let separator = bytes.indices.first(where: { bytes[$0] == 0 && $0 > 0 }),
            let collection = String(utf8: bytes.extracting(first: separator))
        else { throw DataStoreError(.corrupted, "the key is not a key of a store") }
        let stored = try stored(bytes.extracting(droppingFirst: separator + 1), in: collection)
        if stored.isOfIndex { return stored }
        do {
            return try Key(collection: collection, id: stored.id)
        } catch {
            throw DataStoreError(.corrupted, "a key of the collection \(collection) is damaged", underlying: error)
        }
    }

    /// Returns a key for display, or the escaped bytes if they do not encode a key.
    package static func text(of bytes: ArraySlice<UInt8>) -> String {
        let bytes = Array(bytes)
        do {
            return try key(of: bytes.span).description
        } catch {
            return String(decoding: bytes, as: UTF8.self).escapingControlCharacters
        }
    }
}
