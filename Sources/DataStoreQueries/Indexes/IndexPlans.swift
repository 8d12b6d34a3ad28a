import DataStoreCore
import Synchronization

/// A cache of the indexes that the writes of a ``SchemaStore`` maintain. Without the cache, each transaction would
/// parse the index definitions, which takes longer than saving a record.
///
/// Cached indexes are valid until the index definitions or the applied migrations in the store change. If the version
/// of the store's catalogues is unchanged, so are the definitions, and a write does not read them. Only collections
/// whose unique indexes are complete are cached.
final class IndexPlans: Sendable {
    private struct Plan {
        let collection: String
        let indexes: [Index]
        /// The catalogue from which the indexes were derived.
        let catalogue: Record?
        /// The history of the migrations. It is `nil` if the schema declares no migrations of the collection.
        let history: Record?
        /// A version of the store's catalogues that contains the catalogue, or `nil` if no such version is known.
        var version: UInt64?
    }

    private let plans = Mutex<[Plan]>([])

    /// Returns the cached indexes of a collection, or `nil` if none are cached for the given version of the store's
    /// catalogues.
    func indexes(of collection: String, in version: UInt64) -> [Index]? {
        plans.withLock { plans in
            plans.first { $0.version == version && $0.collection.hasSameBytes(as: collection) }?.indexes
        }
    }

    /// Returns the cached indexes of a collection, or `nil` if none are cached for the stored records. From then on,
    /// `indexes(of:in:)` returns them for `version`, unless the collection has migrations.
    func indexes(
        of collection: String, _ catalogue: Record?, _ history: Record?, in version: UInt64?
    ) -> [Index]? {
        plans.withLock { plans in
            let position = plans.firstIndex {
                $0.collection.hasSameBytes(as: collection) && $0.catalogue == catalogue && $0.history == history
            }
            guard let position else { return nil }
            // The completion of an additive migration does not change the version of the catalogues.
            if history == nil { plans[position].version = version }
            return plans[position].indexes
        }
    }

    /// Caches the indexes of a collection.
    func remember(_ indexes: [Index], of collection: String, _ catalogue: Record?, _ history: Record?) {
        plans.withLock { plans in
            plans.removeAll { $0.collection.hasSameBytes(as: collection) }
            // The limit suffices, because programs have few collections.
            if plans.count == 32 { plans.removeFirst() }
            plans.append(
                Plan(collection: collection, indexes: indexes, catalogue: catalogue, history: history))
        }
    }
}
