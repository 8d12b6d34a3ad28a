/// The records that an observer is interested in.
public enum ChangeScope: Hashable, Sendable {
    /// One record, which need not exist.
    case key(Key)
    /// The records of a collection whose ids are in a range, including future ones.
    case ids(IDRange, collection: String)

    /// All records of a collection.
    public static func collection(_ name: String) -> ChangeScope { .ids(.all, collection: name) }

    /// The records that a scan can visit, regardless of its limit.
    package static func scan(_ scan: Scan) -> ChangeScope { .ids(scan.ids, collection: scan.collection) }
}
