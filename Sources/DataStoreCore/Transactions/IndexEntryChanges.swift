/// The changes that a write makes to index entries, in the order in which the changes were added.
///
/// ```swift
/// // What a store receives with a record. The default implementation puts and removes each entry:
/// func replace(_ record: borrowing RecordView, for key: Key?, _ entries: IndexEntryChanges) throws(DataStoreError)
/// ```
///
/// The keys of all entries are in one array of bytes, because a save changes several entries and would otherwise
/// allocate an array or strings for each key.
public struct IndexEntryChanges {
    /// The kind of a change.
    package enum Change {
        /// The entry is removed if it exists.
        case removed
        /// The entry is stored with an empty record.
        case stored
        /// The entry is stored with the record of the write.
        case storedWithRecord
    }

    private struct Item {
        let start: Int
        let idStart: Int
        let end: Int
        let change: Change
    }

    /// The bytes of all keys, one key after another. A key consists of the name of the collection, a NUL and the id.
    /// Different keys have different bytes, because neither part contains a NUL after its first byte.
    private var bytes: [UInt8] = []
    private var items: [Item] = []

    /// The names of the indexes that get their first overflow entry through these changes.
    package var firstOverflows: [String] = []

    /// Creates an empty list.
    package init() {}

    /// The number of changes.
    package var count: Int { items.count }

    package var isEmpty: Bool { items.isEmpty }

    /// Removes all changes, but keeps the allocated memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        firstOverflows = []
    }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - prefix: The UTF-8 bytes of the name of the collection that contains the index entries, followed by a NUL.
    ///   - appendID: A closure that appends the UTF-8 bytes of the entry's id, and returns the change.
    /// - Throws: The error of the closure. The list is then incomplete.
    package mutating func append(
        _ prefix: [UInt8], _ appendID: (inout [UInt8]) throws(DataStoreError) -> Change
    ) throws(DataStoreError) {
        if items.isEmpty {
            // The capacities suffice for most records.
            bytes.reserveCapacity(256)
            items.reserveCapacity(8)
        }
        let start = bytes.count
        bytes += prefix
        let idStart = bytes.count
        let change = try appendID(&bytes)
        items.append(Item(start: start, idStart: idStart, end: bytes.count, change: change))
    }

    /// Removes the last change.
    package mutating func removeLast() {
        guard let last = items.popLast() else { return }
        bytes.removeLast(bytes.count - last.start)
    }

    /// Whether the last two changes have the same key.
    package var endsWithEqualKeys: Bool {
        guard items.count > 1 else { return false }
        let (one, other) = (items[items.count - 2], items[items.count - 1])
        let left = bytes.span.extracting(one.start..<one.end)
        return left.hasSameBytes(as: bytes.span.extracting(other.start..<other.end))
    }

    /// Returns the id of a changed entry as UTF-8 bytes. The index is the position of the change in the list.
    package func id(at index: Int) -> [UInt8] { Array(bytes[items[index].idStart..<items[index].end]) }

    /// Returns whether the list contains a change of the given kind.
    package func contains(_ change: Change) -> Bool { items.contains { $0.change == change } }

    /// Passes the key of each entry with a change of the given kind to `body`. A key consists of the name of the
    /// collection, a NUL and the id.
    package func forEach(
        _ change: Change, _ body: (Span<UInt8>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        for item in items where item.change == change {
            try body(bytes.span.extracting(item.start..<item.end))
        }
    }

    /// Returns the keys of the entries with a change of the given kind.
    package func keys(_ change: Change) -> [Key] {
        items.filter { $0.change == change }.map { item in
            Key(
                stored: String(decoding: bytes[item.idStart..<item.end], as: UTF8.self),
                in: String(decoding: bytes[item.start..<item.idStart - 1], as: UTF8.self))
        }
    }
}
