import DataStoreCore
import Synchronization

/// A cache of the collections that the writes of a ``SchemaStore`` have prepared: the indexes and rules that they
/// maintain. Without it, each transaction would parse the index definitions, which takes longer than saving a record.
///
/// Cached indexes are valid until the index definitions or the applied migrations in the store change. If the version
/// of the store's catalogues is unchanged, so are the definitions and the rules, and a write does not read them. Only
/// collections whose unique indexes are complete are cached.
final class PreparedCollections: Sendable {
    private struct Prepared {
        var collection: RecordMaintenance.Collection
        /// The catalogue from which the indexes were derived.
        let catalogue: Record?
        /// The history of the migrations. It is `nil` if the schema declares no migrations of the collection.
        let history: Record?
        /// A version of the store's catalogues that contains the catalogue and the rules, or `nil` if no such version
        /// is known.
        var version: UInt64?
    }

    private let all = Mutex<[Prepared]>([])
    private let rules = Mutex<(version: UInt64, rules: StoreRules)?>(nil)

    /// Returns the cached collection with a name, or `nil` if none is cached for the given version of the store's
    /// catalogues.
    func collection(named name: String, in version: UInt64) -> RecordMaintenance.Collection? {
        all.withLock { all in
            all.first { $0.version == version && $0.collection.name.hasSameBytes(as: name) }?.collection
        }
    }

    /// Returns the cached indexes of a collection, or `nil` if none are cached for the stored records.
    func indexes(of collection: String, _ catalogue: Record?, _ history: Record?) -> [Index]? {
        all.withLock { all in
            all.first {
                $0.collection.name.hasSameBytes(as: collection) && $0.catalogue == catalogue && $0.history == history
            }?.collection.indexes
        }
    }

    /// Caches a collection for a version of the store's catalogues. Pass the indexes that ``indexes(of:_:_:)`` has
    /// returned.
    func remember(_ collection: RecordMaintenance.Collection, in version: UInt64) {
        all.withLock { all in
            for index in all.indices where all[index].collection.name.hasSameBytes(as: collection.name) {
                (all[index].collection, all[index].version) = (collection, version)
            }
        }
    }

    /// Caches a collection.
    func remember(_ collection: RecordMaintenance.Collection, _ catalogue: Record?, _ history: Record?) {
        all.withLock { all in
            all.removeAll { $0.collection.name.hasSameBytes(as: collection.name) }
            // The limit suffices, because programs have few collections.
            if all.count == 32 { all.removeFirst() }
            all.append(Prepared(collection: collection, catalogue: catalogue, history: history))
        }
    }

    /// Returns the rules of the store in a version of its catalogues, or `nil` if they are not cached.
    func rules(in version: UInt64) -> StoreRules? {
        rules.withLock { $0.flatMap { $0.version == version ? $0.rules : nil } }
    }

    /// Caches the rules of the store, which contain those of the schema.
    func remember(_ rules: StoreRules, in version: UInt64) { self.rules.withLock { $0 = (version, rules) } }
}
