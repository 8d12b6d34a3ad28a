/// The part of a ``DataStore`` that an observer observes: a single record, or a range of records of a collection.
public enum ChangeScope: Hashable, Sendable {
    /// The record of one key, which need not exist yet.
    case key(Key)
    /// The records of a collection whose ids are in a range, including records that are added later.
    case ids(IDRange, collection: String)

    /// Returns the scope of all records of a collection.
    public static func collection(_ name: String) -> ChangeScope { .ids(.all, collection: name) }

    /// Returns the scope of all records that a scan can visit, regardless of its limit.
    package static func scan(_ scan: Scan) -> ChangeScope { .ids(scan.ids, collection: scan.collection) }
}
