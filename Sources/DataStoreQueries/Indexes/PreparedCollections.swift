import Synchronization

/// A cache of the collections that the writes of a ``SchemaStore`` have prepared: the indexes and rules that they
/// maintain. Without it, each transaction would parse the index definitions, which takes longer than saving a record.
///
/// Cached indexes are valid until the index definitions or the applied migrations in the store change. If the version
/// of the store's catalogues is unchanged, so are the definitions and the rules, and a write does not read them. Only
/// collections whose unique indexes are complete are cached.
final class PreparedCollections: Sendable {
    /// A collection, and the contents of the store from which its indexes and rules were derived.
    struct Prepared {
        let collection: RecordMaintenance.Collection
        let catalogue: Record?
        /// The history of the migrations. It is `nil` if the schema declares no migrations of the collection.
        let history: Record?
        /// A version of the store's catalogues that contains the catalogue and the rules, or `nil` if no such version
        /// is known.
        var version: UInt64?
    }

    private let all = Mutex<[Prepared]>([])
    private let rules = Mutex<(version: UInt64, rules: StoreRules)?>(nil)

    /// Returns the cached collection with a name.
    subscript(name: String) -> Prepared? {
        all.withLock { all in all.first { $0.collection.name.hasSameBytes(as: name) } }
    }

    /// Caches a collection.
    func remember(_ prepared: Prepared) {
        all.withLock { all in
            all.removeAll { $0.collection.name.hasSameBytes(as: prepared.collection.name) }
            // The limit suffices, because programs have few collections.
            if all.count == 32 { all.removeFirst() }
            all.append(prepared)
        }
    }

    /// Returns the rules of the store in a version of its catalogues, or `nil` if they are not cached.
    func rules(in version: UInt64) -> StoreRules? {
        rules.withLock { $0.flatMap { $0.version == version ? $0.rules : nil } }
    }

    /// Caches the rules of the store, which contain those of the schema.
    func remember(_ rules: StoreRules, in version: UInt64) { self.rules.withLock { $0 = (version, rules) } }
}
