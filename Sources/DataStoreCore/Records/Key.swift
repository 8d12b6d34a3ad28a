/// The key of a stored record: the name of a collection and an id within it.
///
/// ```swift
/// let key = try Key(collection: "notes", id: "1")
/// let record = try await store.read { try $0.record(for: key) }
/// ```
///
/// Both parts are non-empty strings without NUL, together at most 480 bytes of UTF-8. Keys are compared and ordered by
/// their bytes and not by Unicode equivalence, so two spellings of "é" are two keys.
public struct Key: Sendable {
    /// The maximum number of UTF-8 bytes of a collection name and an id together.
    package static let maximumByteCount = 480

    /// The name of the collection, e.g. `users`.
    public let collection: String

    /// The id within the collection, e.g. `me`.
    public let id: String

    /// Creates a key from a collection name and an id, e.g. `Key(collection: "notes", id: "1")`.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - id: The id within the collection.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if a part is empty or contains a
    ///   NUL, or if both together exceed 480 bytes.
    public init(collection: String, id: String) throws(DataStoreError) {
        try Key.validate(collection, is: "collection name", of: collection, id)
        try self.init(id: id, inValid: collection)
    }

    /// Creates a key in a collection whose name has already been validated. Validates the id and the length of both
    /// parts.
    ///
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if the id is empty or contains a
    ///   NUL, or if both parts together exceed 480 bytes.
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

    /// Creates a key that a store has read, without validation. The parts were validated before they were stored.
    @inlinable
    package init(stored id: String, in collection: String) {
        self.collection = collection
        self.id = id
    }

    /// Validates the name of a collection.
    ///
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if the name is empty, contains a
    ///   NUL, or leaves no byte for an id.
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
    /// Returns whether two keys have the same bytes.
    public static func == (left: Key, right: Key) -> Bool {
        left.id.hasSameBytes(as: right.id) && left.collection.hasSameBytes(as: right.collection)
    }

    /// Returns whether the left key comes first: by collection, then by id, each by its UTF-8 bytes.
    public static func < (left: Key, right: Key) -> Bool { left.order(to: right) < 0 }

    /// Compares two keys. The result is negative if this key comes first, 0 if the keys are equal, and positive
    /// otherwise.
    @inlinable
    package func order(to other: Key) -> Int {
        let order = collection.byteOrder(to: other.collection)
        return order == 0 ? id.byteOrder(to: other.id) : order
    }

    /// Hashes the bytes of both parts, consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        collection.hashBytes(into: &hasher)
        id.hashBytes(into: &hasher)
    }
}

extension Key: CustomStringConvertible {
    /// The key as text for messages, e.g. `users/me`. Control characters are escaped.
    public var description: String { "\(collection)/\(id)".escapingControlCharacters }
}
