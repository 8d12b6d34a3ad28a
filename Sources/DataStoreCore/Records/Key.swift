/// The address of a record: the name of a collection and an id within it.
///
/// Both are non-empty text without NUL, together at most 480 bytes of UTF-8, in every store. Keys are compared and
/// ordered by their bytes, never by Unicode equivalence: two spellings of "é" are two keys.
public struct Key: Sendable {
    /// The maximum number of UTF-8 bytes of a collection name and an id together.
    package static let maximumByteCount = 480

    /// The collection, e.g. `users`.
    public let collection: String

    /// The id within the collection, e.g. `me`.
    public let id: String

    /// Creates a key from a collection name and an id.
    ///
    /// - Parameters:
    ///   - collection: The collection name.
    ///   - id: The id within the collection.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if a part is empty or contains a
    ///   NUL, or if both together are too long.
    public init(collection: String, id: String) throws(DataStoreError) {
        try Key.validate(collection, is: "collection name", of: collection, id)
        try self.init(id: id, inValid: collection)
    }

    /// Creates a key in a collection whose name has been validated.
    package init(id: String, inValid collection: String) throws(DataStoreError) {
        try Key.validate(id, is: "id", of: collection, id)
        guard collection.utf8.count + id.utf8.count <= Key.maximumByteCount else {
            throw .invalidKey(
                collection, id,
                "a collection name and an id have at most \(Key.maximumByteCount) bytes together, not "
                    + "\(collection.utf8.count + id.utf8.count)")
        }
        self.collection = collection
        self.id = id
    }

    /// Creates a key that a store has read. Its parts were validated before they were saved.
    @inlinable
    package init(stored id: String, in collection: String) {
        self.collection = collection
        self.id = id
    }

    /// Validates a collection name.
    ///
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if no key can have the name.
    package static func validate(collection: String) throws(DataStoreError) {
        try validate(collection, is: "collection name", of: collection, "")
        guard collection.utf8.count < maximumByteCount else {
            throw .invalidKey(
                collection, "",
                "a collection name and an id have at most \(maximumByteCount) bytes together, and the name has "
                    + "\(collection.utf8.count)")
        }
    }

    private static func validate(
        _ part: String, is name: String, of collection: String, _ id: String
    ) throws(DataStoreError) {
        guard !part.isEmpty else { throw .invalidKey(collection, id, "the \(name) is empty") }
        guard !part.hasNUL else { throw .invalidKey(collection, id, "the \(name) contains a NUL") }
    }
}

extension Key: Hashable, Comparable {
    /// Returns whether both parts have the same bytes.
    public static func == (left: Key, right: Key) -> Bool {
        left.id.hasSameBytes(as: right.id) && left.collection.hasSameBytes(as: right.collection)
    }

    /// Returns whether the left key sorts first: by collection, then by id, each in unsigned byte order of its UTF-8.
    public static func < (left: Key, right: Key) -> Bool {
        left.order(to: right) < 0
    }

    /// Returns a negative number, 0 or a positive number if this key comes before, equals or comes after another one.
    @inlinable
    package func order(to other: Key) -> Int {
        let order = collection.byteOrder(to: other.collection)
        return order == 0 ? id.byteOrder(to: other.id) : order
    }

    /// Hashes the bytes of both parts.
    public func hash(into hasher: inout Hasher) {
        collection.hashBytes(into: &hasher)
        id.hashBytes(into: &hasher)
    }
}

extension Key: CustomStringConvertible {
    /// The key as messages print it, e.g. `users/me`, with control characters escaped.
    public var description: String { "\(collection)/\(id)".escapingControlCharacters }
}
