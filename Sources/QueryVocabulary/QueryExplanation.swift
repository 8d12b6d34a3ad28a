/// A report on how a repository answers a query. Use it to find queries that need an index.
///
/// ```swift
/// let report = try await notes.explain(Query(where: \.title == "milk"))
/// print(report.index ?? "no index", report.entityCount)
/// ```
public struct QueryExplanation: Hashable, Sendable {
    /// The name of the index that the query uses, or the names joined by "and" if it uses several. It is `id` if the
    /// query reads only the entities whose ids the filter selects. It is `nil` if the query reads the entities in the
    /// order of their ids, all of them or up to its limit.
    public package(set) var index: String?

    /// Whether the query reads the entities in the order of its first sort, or in the order of their ids if it has no
    /// sort.
    ///
    /// If `false`, the query uses no index, or it reads all matching entities before it sorts them.
    public package(set) var isInOrder = false

    /// The number of index entries that the query read. It is the number of entities read if the query reads a range of
    /// ids.
    public package(set) var entryCount = 0

    /// The number of stored entities that the query read. An entity is not counted if the query reads it from an index
    /// entry that contains the whole entity.
    public package(set) var entityCount: Int

    /// The number of entities that the query found, up to its limit.
    public package(set) var foundCount: Int

    /// A line for each index of the entity that the query does not use, with the reason, e.g.
    /// `index "title": not used, the query has no condition on title`.
    ///
    /// An index of an old form of a property has a line, too, e.g. after the type of the property has changed. The line
    /// names the index that replaces it, and the command that removes it.
    public package(set) var unusedIndexes: [String] = []

    /// Creates a report of a query without an index.
    package init(entityCount: Int = 0, foundCount: Int = 0) {
        self.entityCount = entityCount
        self.foundCount = foundCount
    }
}

extension QueryExplanation: CustomStringConvertible {
    /// A line of text about the query, followed by the lines of ``unusedIndexes``.
    public var description: String {
        let read = "\(entityCount) entit\(entityCount == 1 ? "y" : "ies")"
        let entries = entryCount == 1 ? "1 index entry" : "\(entryCount) index entries"
        let entities = entityCount == 0 ? "" : " and \(read)"
        let line =
            index.map { "with the index \($0)\(isInOrder ? ", in index order" : ""): read \(entries)\(entities)" }
            ?? "without an index: read \(read)"
        return (["found \(foundCount) \(line)"] + unusedIndexes).joined(separator: "\n")
    }
}
