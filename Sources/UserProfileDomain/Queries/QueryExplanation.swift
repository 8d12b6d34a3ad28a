/// A report on how a repository answers a query, and how much it reads. Use it to find queries that need an index.
public struct QueryExplanation: Hashable, Sendable {
    /// The index that the query uses: its name, `id` for the ids themselves, or `nil` if the query reads all entities.
    public let index: String?

    /// Whether the index returns the entities in the requested order, so that only ties are sorted.
    public let isInOrder: Bool

    /// The number of index entries that were read.
    public let entryCount: Int

    /// The number of entities that were read, except entities that the index entries contain.
    public let entityCount: Int

    /// The number of entities that were found.
    public let foundCount: Int

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - index: The index that the query uses, or `nil` if it reads all entities.
    ///   - isInOrder: Whether the index returns the entities in the requested order.
    ///   - entryCount: The number of index entries that were read.
    ///   - entityCount: The number of entities that were read.
    ///   - foundCount: The number of entities that were found.
    package init(index: String?, isInOrder: Bool = false, entryCount: Int = 0, entityCount: Int, foundCount: Int) {
        self.index = index
        self.isInOrder = isInOrder
        self.entryCount = entryCount
        self.entityCount = entityCount
        self.foundCount = foundCount
    }
}

extension QueryExplanation: CustomStringConvertible {
    /// The report in one line.
    public var description: String {
        guard let index else { return "found \(foundCount) without an index: read all \(entityCount)" }
        let entities = entityCount == 0 ? "" : " and \(entityCount) entities"
        return "found \(foundCount) by the index \(index)\(isInOrder ? ", in its order" : ""): "
            + "read \(entryCount) of its entries\(entities)"
    }
}
