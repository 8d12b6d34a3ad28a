/// What an observer wants to learn of.
public enum ChangeScope: Hashable, Sendable {
    /// One record, which need not be there.
    case key(Key)
    /// The records of a collection whose ids are in a range; those that are not there yet included.
    case ids(IDRange, collection: String)

    /// All records of a collection.
    ///
    /// - Parameter name: the collection's name.
    /// - Returns: the scope.
    public static func collection(_ name: String) -> ChangeScope { .ids(.all, collection: name) }

    /// The records that a scan may come to, however many it shows.
    ///
    /// - Parameter scan: the scan.
    /// - Returns: the scope.
    public static func scan(_ scan: Scan) -> ChangeScope { .ids(scan.ids, collection: scan.collection) }
}
