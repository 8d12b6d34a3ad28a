/// How a repository finds the answer to a query, and what it takes.
public struct QueryExplanation: Hashable, Sendable {
    /// The index that it is found by, `id` where it is found by the ids themselves; nil where all entities are looked
    /// at.
    public let index: String?

    /// Whether the index gives the answer in its order, so that nothing is sorted but what ties.
    public let isInOrder: Bool

    /// How many entries of the index were looked at.
    public let entryCount: Int

    /// How many entities were looked at, but for those that are in the entries themselves.
    public let entityCount: Int

    /// How many entities were found.
    public let foundCount: Int

    /// Says how an answer was found.
    ///
    /// - Parameters:
    ///   - index: the index that it is found by; nil where all entities are looked at.
    ///   - isInOrder: whether the index gives the answer in its order.
    ///   - entryCount: how many entries of the index were looked at.
    ///   - entityCount: how many entities were looked at.
    ///   - foundCount: how many entities were found.
    public init(index: String?, isInOrder: Bool = false, entryCount: Int = 0, entityCount: Int, foundCount: Int) {
        self.index = index
        self.isInOrder = isInOrder
        self.entryCount = entryCount
        self.entityCount = entityCount
        self.foundCount = foundCount
    }
}

extension QueryExplanation: CustomStringConvertible {
    /// One line.
    public var description: String {
        guard let index else { return "found \(foundCount) without an index: looked at all \(entityCount)" }
        let entities = entityCount == 0 ? "" : " and \(entityCount) of what they lead to"
        return "found \(foundCount) by the index \(index)\(isInOrder ? ", in its order" : ""): "
            + "looked at \(entryCount) of its entries\(entities)"
    }
}
