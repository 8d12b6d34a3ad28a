/// A report on how a repository answers a query and how many entities it reads. Use the report to find queries that
/// need an index.
public struct QueryExplanation: Hashable, Sendable {
    /// The name of the index that the query uses, or the names joined by "and" if it uses several. It is `id` if the
    /// query reads only the entities whose ids the filter selects. It is `nil` if the query reads the entities in the
    /// order of their ids, all of them or up to its limit.
    public let index: String?

    /// Whether the query reads the entities in the order of its first sort, or in the order of their ids if it has no
    /// sort.
    ///
    /// If `false`, the query uses no index, or it reads all matching entities before it sorts them.
    public let isInOrder: Bool

    /// The number of index entries that the query read.
    public let entryCount: Int

    /// The number of stored entities that the query read. An entity is not counted if the query reads it from an index
    /// entry that contains the whole entity.
    public let entityCount: Int

    /// The number of entities that the query found, up to its limit.
    public let foundCount: Int

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - index: The name of the index that the query uses, or `nil` if the query reads all entities.
    ///   - isInOrder: Whether the query reads the entities in the order of its first sort.
    ///   - entryCount: The number of index entries that the query read.
    ///   - entityCount: The number of stored entities that the query read.
    ///   - foundCount: The number of entities that the query found, up to its limit.
    package init(index: String?, isInOrder: Bool = false, entryCount: Int = 0, entityCount: Int, foundCount: Int) {
        self.index = index
        self.isInOrder = isInOrder
        self.entryCount = entryCount
        self.entityCount = entityCount
        self.foundCount = foundCount
    }
}

extension QueryExplanation: CustomStringConvertible {
    /// The report as one line of text.
    public var description: String {
        let read = "\(entityCount) entit\(entityCount == 1 ? "y" : "ies")"
        guard let index else { return "found \(foundCount) without an index: read \(read)" }
        let entries = entryCount == 1 ? "1 index entry" : "\(entryCount) index entries"
        let entities = entityCount == 0 ? "" : " and \(read)"
        return "found \(foundCount) with the index \(index)\(isInOrder ? ", in index order" : ""): "
            + "read \(entries)\(entities)"
    }
}
