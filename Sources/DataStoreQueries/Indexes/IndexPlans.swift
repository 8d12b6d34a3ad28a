import DataStoreCore
import Synchronization

/// A cache of the indexes that the writes of a ``SchemaStore`` maintain. It avoids parsing index definitions in each
/// transaction, which would cost more than a save.
///
/// Cached indexes are valid while the stored definitions are equal to the parsed definitions. If the version of the
/// store's catalogues is unchanged, the definitions are equal, and a write need not read them.
final class IndexPlans: Sendable {
    private struct Plan {
        let collection: String
        let catalogue: Record?
        let indexes: [MaintainedIndex]
        /// A version of the store's catalogues in which the collection has the catalogue `catalogue`, if known.
        var version: CatalogueVersion?
    }

    private let plans = Mutex<[Plan]>([])

    /// Returns the cached indexes of a collection, or `nil` if none are cached for a version of the store's catalogues.
    func indexes(of collection: String, in version: CatalogueVersion) -> [MaintainedIndex]? {
        plans.withLock { plans in
            plans.first { $0.version === version && $0.collection.hasSameBytes(as: collection) }?.indexes
        }
    }

    /// Returns the cached indexes of a collection, or `nil` if none are cached or the stored definitions have changed.
    /// Later calls with the same version of the store's catalogues need not pass the definitions.
    func indexes(
        of collection: String, _ catalogue: Record?, in version: CatalogueVersion?
    ) -> [MaintainedIndex]? {
        plans.withLock { plans in
            let index = plans.firstIndex { $0.collection.hasSameBytes(as: collection) && $0.catalogue == catalogue }
            guard let index else { return nil }
            plans[index].version = version
            return plans[index].indexes
        }
    }

    /// Caches the indexes of a collection.
    func remember(_ indexes: [MaintainedIndex], of collection: String, _ catalogue: Record?) {
        plans.withLock { plans in
            plans.removeAll { $0.collection.hasSameBytes(as: collection) }
            // The limit suffices, because programs have few collections.
            if plans.count == 32 { plans.removeFirst() }
            plans.append(Plan(collection: collection, catalogue: catalogue, indexes: indexes))
        }
    }
}

/// An index that a write maintains. It is a class, because each save copies it and copying a reference is fast.
final class MaintainedIndex: Sendable {
    let field: QueryField
    let state: IndexState
    /// The beginning of the keys of all entries.
    let keyPrefix: [UInt8]

    init(_ item: IndexCatalogue.Item) {
        field = item.field
        state = item.state
        keyPrefix = item.state.keyPrefix
    }
}
