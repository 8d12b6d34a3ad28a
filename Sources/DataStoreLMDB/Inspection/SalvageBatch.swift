import DataStoreCore
import DataStoreSystem
import RecordFraming

/// A batch of readable records of a damaged store. One transaction copies the batch to the store that receives the
/// salvaged records.
struct SalvageBatch: Sendable {
    /// A position among the leaf pages of a ``SalvagePlan``.
    struct Position: Sendable {
        var page: PageNumber = 0
        /// The number of nodes on the page that earlier batches have processed.
        var nodeCount = 0
    }

    private(set) var records: [SalvagedRecord] = []

    /// The records with index definitions.
    private(set) var definitions: [SalvagedRecord] = []

    /// The keys of damaged records as printable text.
    private(set) var lostKeys: [String] = []

    /// The position at which the next batch starts, or `nil` if this is the last batch.
    private(set) var next: Position?

    private static let maximumCount = 1000
    private static let maximumByteCount = 4 << 20

    /// Reads the records of a plan, starting at a position. The batch ends when it contains 1000 records, or when their
    /// total size reaches 4 MiB.
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

    /// Adds the record of a node to the batch. If the record is damaged, adds its key to ``lostKeys`` instead. Ignores
    /// an index entry, because the entries are rebuilt from the records.
    ///
    /// - Returns: The size of the record in bytes, or 0 for an index entry.
    private mutating func add(_ node: Node, of page: Page, _ plan: SalvagePlan) throws(DataStoreError) -> Int {
        // Index entries are not copied, because they are rebuilt from the records.
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
            lostKeys.append(KeyBytes.text(of: key))
        }
        if case .largeValue(_, let byteCount) = node.content { return Int(clamping: byteCount) }
        return node.end - node.start
    }
}
