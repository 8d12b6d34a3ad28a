import DataStoreCore
import DataStoreFiles
import RecordFraming

/// Some of the records that a plan leads to.
struct SalvageBatch: Sendable {
    /// A place among the leaves of a plan.
    struct Position: Sendable {
        var page: PageNumber = 0
        /// How many nodes of that page were looked at.
        var nodeCount = 0
    }

    private(set) var records: [FoundRecord] = []

    /// The definitions of the indexes of collections.
    private(set) var definitions: [FoundRecord] = []

    /// The keys of records that are damaged.
    private(set) var lostKeys: [String] = []

    /// Where the next batch begins; nil where there is none.
    private(set) var next: Position?

    private static let maximumCount = 1000
    private static let maximumByteCount = 4 << 20

    /// Reads records from a position on.
    init(of plan: SalvagePlan, from start: Position, _ cancellation: Cancellation) throws {
        var position = start
        var byteCount = 0
        while let number = plan.leaves.first(from: position.page) {
            try cancellation.check()
            if number != position.page { position = Position(page: number) }
            if let (page, nodes) = plan.leaf(number) {
                for node in nodes.dropFirst(position.nodeCount) {
                    guard records.count < Self.maximumCount, byteCount < Self.maximumByteCount else {
                        next = position
                        return
                    }
                    position.nodeCount += 1
                    byteCount += try add(node, of: page, plan)
                }
            }
            position = Position(page: number + 1)
        }
    }

    /// - Returns: how many bytes it has.
    private mutating func add(_ node: Node, of page: Page, _ plan: SalvagePlan) throws(DataStoreError) -> Int {
        // The entries of indexes are not copied: they are rebuilt from the records.
        let key = page.bytes[node.key]
        let isDefinition = key.starts(with: KeyBytes.prefix(IndexCatalogueRecord.collection))
        if key.first == 0, key != KeyBytes.format[...], !isDefinition { return 0 }
        do throws(DataStoreError) {
            if let record = try plan.record(of: node, in: page) {
                if isDefinition { definitions.append(record) } else { records.append(record) }
            }
        } catch  where error.code == .formatTooNew {
            throw error
        } catch {
            lostKeys.append(KeyBytes.shown(key))
        }
        if case .largeValue(_, let byteCount) = node.content { return Int(clamping: byteCount) }
        return node.end - node.start
    }
}
