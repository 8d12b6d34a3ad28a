import DataStoreCore
import Synchronization

/// The indexes that writes of a schema store maintain, remembered from one transaction to the next.
///
/// Parsing a catalogue costs more than a save. A plan is valid as long as the catalogue in the store is the one it was
/// made from.
final class IndexPlans: Sendable {
    private struct Plan {
        let collection: String
        let catalogue: Record?
        let indexes: [MaintainedIndex]
    }

    private let plans = Mutex<[Plan]>([])

    /// Returns the indexes of a collection, if its catalogue is unchanged since they were remembered.
    func indexes(of collection: String, _ catalogue: Record?) -> [MaintainedIndex]? {
        plans.withLock { plans in
            plans.first { $0.collection.hasSameBytes(as: collection) && $0.catalogue == catalogue }?.indexes
        }
    }

    /// Remembers the indexes of a collection.
    func remember(_ indexes: [MaintainedIndex], of collection: String, _ catalogue: Record?) {
        plans.withLock { plans in
            plans.removeAll { $0.collection.hasSameBytes(as: collection) }
            // Programs have few collections.
            if plans.count == 32 { plans.removeFirst() }
            plans.append(Plan(collection: collection, catalogue: catalogue, indexes: indexes))
        }
    }
}

/// An index that a write maintains. A class, because each record is compared with each index, and a reference is copied
/// faster.
final class MaintainedIndex: Sendable {
    let field: QueryField
    let state: IndexState

    init(_ item: IndexCatalogue.Item) {
        field = item.field
        state = item.state
    }
}
