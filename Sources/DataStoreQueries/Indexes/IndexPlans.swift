import DataStoreCore
import Synchronization

/// A cache of the indexes that the writes of a ``SchemaStore`` maintain. It avoids parsing index definitions in each
/// transaction, which would cost more than a save.
///
/// Cached indexes are valid while the stored definitions are equal to the parsed definitions. If the version of the
/// store's catalogues is unchanged, the definitions are equal, and a write need not read them.
final class IndexPlans: Sendable {
    private struct Plan {
        let maintained: MaintainedCollection
        let catalogue: Record?
        /// A version of the store's catalogues in which the collection has the catalogue `catalogue`, if known.
        var version: CatalogueVersion?

        func isOf(_ collection: String) -> Bool { maintained.collection.hasSameBytes(as: collection) }
    }

    private let plans = Mutex<[Plan]>([])

    /// Returns the cached indexes of a collection, or `nil` if none are cached for a version of the store's catalogues.
    func maintained(_ collection: String, in version: CatalogueVersion) -> MaintainedCollection? {
        plans.withLock { plans in plans.first { $0.version === version && $0.isOf(collection) }?.maintained }
    }

    /// Returns the cached indexes of a collection, or `nil` if none are cached or the stored definitions have changed.
    /// Later calls with the same version of the store's catalogues need not pass the definitions.
    func maintained(
        _ collection: String, _ catalogue: Record?, in version: CatalogueVersion?
    ) -> MaintainedCollection? {
        plans.withLock { plans in
            guard let index = plans.firstIndex(where: { $0.isOf(collection) && $0.catalogue == catalogue }) else {
                return nil
            }
            plans[index].version = version
            return plans[index].maintained
        }
    }

    /// Caches the indexes of a collection.
    func remember(_ maintained: MaintainedCollection, _ catalogue: Record?) {
        plans.withLock { plans in
            plans.removeAll { $0.isOf(maintained.collection) }
            // The limit suffices, because programs have few collections.
            if plans.count == 32 { plans.removeFirst() }
            plans.append(Plan(maintained: maintained, catalogue: catalogue))
        }
    }
}

/// The indexes that a write maintains for a collection.
final class MaintainedCollection: Sendable {
    let collection: String
    let indexes: [MaintainedIndex]
    /// The unique fields whose index cannot be built, because existing records have equal values or are damaged. Each
    /// put scans the collection for an equal value instead.
    let scannedFields: [QueryField]
    /// The error that every put throws, because a unique index is incomplete and a scan would take too long.
    let blockingError: DataStoreError?

    init(
        _ catalogue: IndexCatalogue, _ scannedFields: [QueryField] = [], _ blockingError: DataStoreError? = nil
    ) {
        collection = catalogue.collection
        indexes = catalogue.items.filter { !$0.state.isInvalid }.map(MaintainedIndex.init)
        self.scannedFields = scannedFields
        self.blockingError = blockingError
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
