import DataStoreCore
import Synchronization

/// A cache of the indexes that the writes of a ``SchemaStore`` maintain. Without the cache, each transaction would
/// parse the index definitions, which takes longer than saving a record.
///
/// Cached indexes are valid until the index definitions or the applied migrations in the store change. If the version
/// of the store's catalogues is unchanged, so are the definitions, and a write does not read them.
final class IndexPlans: Sendable {
    /// The stored records from which the indexes of a collection were derived.
    struct Source: Equatable {
        /// The index catalogue.
        let catalogue: Record?
        /// The history of the migrations. It is `nil` if the schema declares no migrations of the collection.
        let history: Record?
    }

    private struct Plan {
        let maintained: MaintainedCollection
        let source: Source
        /// A version of the store's catalogues that contains the catalogue of `source`, or `nil` if no such version is
        /// known.
        var version: CatalogueVersion?

        func isOf(_ collection: String) -> Bool { maintained.collection.hasSameBytes(as: collection) }
    }

    private let plans = Mutex<[Plan]>([])

    /// Returns the cached indexes of a collection, or `nil` if none are cached for the given version of the store's
    /// catalogues.
    func maintained(_ collection: String, in version: CatalogueVersion) -> MaintainedCollection? {
        plans.withLock { plans in plans.first { $0.version === version && $0.isOf(collection) }?.maintained }
    }

    /// Returns the cached indexes of a collection, or `nil` if none are cached for the stored records `source`. From
    /// then on, `maintained(_:in:)` returns them for `version`, unless the collection has migrations.
    func maintained(
        _ collection: String, _ source: Source, in version: CatalogueVersion?
    ) -> MaintainedCollection? {
        plans.withLock { plans in
            guard let index = plans.firstIndex(where: { $0.isOf(collection) && $0.source == source }) else {
                return nil
            }
            // The completion of an additive migration does not change the version of the catalogues.
            if source.history == nil { plans[index].version = version }
            return plans[index].maintained
        }
    }

    /// Caches the indexes of a collection.
    func remember(_ maintained: MaintainedCollection, _ source: Source) {
        plans.withLock { plans in
            plans.removeAll { $0.isOf(maintained.collection) }
            // The limit suffices, because programs have few collections.
            if plans.count == 32 { plans.removeFirst() }
            plans.append(Plan(maintained: maintained, source: source))
        }
    }
}

/// The indexes that a write maintains for a collection.
final class MaintainedCollection: Sendable {
    let collection: String
    let indexes: [MaintainedIndex]
    /// The unique fields whose indexes cannot be built, because existing records have equal values or are damaged. Each
    /// put scans the collection for an equal value instead.
    let scannedFields: [QueryField]
    /// The error that every put throws, or `nil` if records can be put. A put fails if a unique index is incomplete and
    /// the collection is too large to scan instead.
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
    /// The bytes with which the key of each entry begins.
    let keyPrefix: [UInt8]

    init(_ item: IndexCatalogue.Item) {
        field = item.field
        state = item.state
        keyPrefix = item.state.keyPrefix
    }
}
