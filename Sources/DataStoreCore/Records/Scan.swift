/// A selection of the records of one collection, in ascending or descending order of their ids.
///
/// ```swift
/// let newest = try Scan("notes", ids: .prefix("2026-"), limit: 10, isReversed: true)
/// ```
public struct Scan: Hashable, Sendable {
    /// The name of the collection.
    public let collection: String

    /// The range of ids that the scan visits.
    public let ids: IDRange

    /// The maximum number of records, or `nil` for no limit.
    public let limit: Int?

    /// Whether the scan visits the greatest id first. If `false`, it visits the least id first.
    public let isReversed: Bool

    /// Creates a scan of a collection.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - ids: The range of ids that the scan visits.
    ///   - limit: The maximum number of records, or `nil` for no limit. A limit below 1 selects no record.
    ///   - isReversed: Whether the scan visits the greatest id first. If `false`, it visits the least id first.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if the collection name is invalid.
    public init(
        _ collection: String, ids: IDRange = .all, limit: Int? = nil, isReversed: Bool = false
    ) throws(DataStoreError) {
        try Key.validate(collection: collection)
        self.init(stored: collection, ids: ids, limit: limit, isReversed: isReversed)
    }

    /// Creates a scan without validating the name of the collection, e.g. for a collection of index entries.
    package init(stored collection: String, ids: IDRange = .all, limit: Int? = nil, isReversed: Bool = false) {
        self.collection = collection
        self.ids = ids
        self.limit = limit
        self.isReversed = isReversed
    }

    /// A closure's decision on whether a scan continues.
    ///
    /// ```swift
    /// try transaction.forEach(in: Scan("notes")) { key, record in
    ///     print(key.id)
    ///     return key.id == "last" ? .stop : .next
    /// }
    /// ```
    public enum Step: Sendable {
        /// The scan continues with the next record.
        case next
        /// The scan ends.
        case stop
    }
}

/// A range of ids, which are ordered by their UTF-8 bytes. Use it to limit a ``Scan`` or an observation.
///
/// ```swift
/// IDRange.all
/// IDRange.prefix("2026-")
/// IDRange.from("b").before("d")      // b…, c…
/// IDRange.all.through("m")           // …, m
/// IDRange.after("user-0500")         // the next page of a listing
/// ```
public struct IDRange: Hashable, Sendable {
    /// The inclusive lower bound as UTF-8 bytes. It is empty if the range starts at the first id.
    @usableFromInline package private(set) var lower: [UInt8] = []
    /// The exclusive upper bound, or `nil` if the range extends to the last id or ``isPrefix`` is `true`.
    @usableFromInline package private(set) var explicitUpper: [UInt8]?
    /// Whether the range contains exactly the ids that begin with the bytes of the lower bound. Such a range needs no
    /// array for its upper bound.
    @usableFromInline package private(set) var isPrefix = false

    /// The exclusive upper bound, which is compared with the UTF-8 bytes of ids, or `nil` if the range extends to the
    /// last id. The bytes need not be valid UTF-8.
    package var upper: [UInt8]? { isPrefix ? lower + [IDRange.afterUTF8] : explicitUpper }

    /// A byte that is greater than all bytes of UTF-8 text.
    @inlinable package static var afterUTF8: UInt8 { 0xFF }

    /// The range of all ids.
    public static let all = IDRange(lower: [], upper: nil)

    /// Creates the range from `lower` up to, but not including, `upper`. The bounds are the UTF-8 bytes of ids.
    package init(lower: [UInt8], upper: [UInt8]?) {
        self.lower = lower
        explicitUpper = upper
    }

    /// Creates the range of ids whose UTF-8 bytes begin with a prefix that is not empty.
    package init(prefix: [UInt8]) {
        lower = prefix
        isPrefix = true
    }

    /// Returns the range of ids that begin with a prefix. The empty prefix matches every id.
    public static func prefix(_ prefix: String) -> IDRange {
        prefix.isEmpty ? .all : IDRange(prefix: Array(prefix.utf8))
    }

    /// Returns the range that starts at an id, including the id.
    public static func from(_ id: String) -> IDRange { all.from(id) }

    /// Returns the range that starts after an id.
    public static func after(_ id: String) -> IDRange { all.after(id) }

    /// Returns the part of this range that starts at an id, including the id.
    package func from(_ id: String) -> IDRange { raisingLower(to: Array(id.utf8)) }

    /// Returns the part of this range that starts after an id.
    package func after(_ id: String) -> IDRange { raisingLower(to: Array(id.utf8) + [0]) }

    /// Returns the part of this range that ends before an id.
    public func before(_ id: String) -> IDRange { loweringUpper(to: Array(id.utf8)) }

    /// Returns the part of this range that ends at an id, including the id.
    public func through(_ id: String) -> IDRange { loweringUpper(to: Array(id.utf8) + [0]) }

    /// Returns whether the range contains an id.
    public func contains(_ id: String) -> Bool { !isAbove(id) && !isBelow(id) }

    /// Returns whether all ids of the range come after an id.
    package func isAbove(_ id: String) -> Bool { id.precedes(lower) }

    /// Returns whether all ids of the range come before an id.
    package func isBelow(_ id: String) -> Bool {
        if isPrefix { return !id.precedes(lower) && !id.utf8.starts(with: lower) }
        guard let upper else { return false }
        return !id.precedes(upper)
    }

    // An id contains no NUL, so "after x" equals "from x followed by a zero byte". Half-open bounds therefore suffice.
    private func raisingLower(to bytes: [UInt8]) -> IDRange {
        bytes.lexicographicallyPrecedes(lower) ? self : IDRange(lower: bytes, upper: upper)
    }

    private func loweringUpper(to bytes: [UInt8]) -> IDRange {
        if let upper, upper.lexicographicallyPrecedes(bytes) { return self }
        return IDRange(lower: lower, upper: bytes)
    }
}

/// A record together with the key under which it is stored.
///
/// ```swift
/// for entry in try transaction.records(in: Scan("notes")) { print(entry.key.id, entry.record) }
/// ```
public struct Entry: Hashable, Sendable {
    /// The key under which the record is stored.
    public let key: Key

    /// The stored record.
    public let record: Record

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - key: The key under which the record is stored.
    ///   - record: The stored record.
    public init(key: Key, record: Record) {
        self.key = key
        self.record = record
    }
}
