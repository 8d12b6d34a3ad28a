/// The rules of all collections of a store, which any program may have declared.
///
/// They are a field of the store's catalogue record, so one read finds them. It is a class, because each transaction
/// copies it.
package final class StoreRules: Sendable {
    /// No rules.
    static let none = StoreRules([])

    // A linear search suffices, because few collections have rules.
    let collections: [(name: String, rules: CollectionRules)]

    /// A random number, which changes whenever running programs must read the keys of sealed fields again, or 0. Here
    /// each transaction finds it without another read. The collection of the keys has no rules, so it has their place.
    package let sealingEpoch: Int64

    /// Whether records of any collection can expire, or have rules that this version cannot follow.
    let canExpire: Bool

    init(_ collections: [(name: String, rules: CollectionRules)], sealingEpoch: Int64 = 0) {
        self.collections = collections.filter { !$0.rules.isEmpty }
        canExpire = collections.contains { $0.rules.expiry != nil || $0.rules.unknownName != nil }
        self.sealingEpoch = sealingEpoch
    }

    /// Returns these rules after a change to each collection.
    func changing(_ change: (inout (name: String, rules: CollectionRules)) -> Void) -> StoreRules {
        var changed = collections
        for index in changed.indices { change(&changed[index]) }
        return StoreRules(changed, sealingEpoch: sealingEpoch)
    }

    /// Returns these rules with other ones of a collection.
    private func replacing(_ rules: CollectionRules, of collection: String) -> StoreRules {
        let others = collections.filter { !$0.name.hasSameBytes(as: collection) }
        return StoreRules(others + [(collection, rules)], sealingEpoch: sealingEpoch)
    }

    /// Reads the rules of a store.
    static func stored(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> StoreRules {
        let found = try transaction.view(of: IndexState.storeCatalogue) { view throws(DataStoreError) in
            try view.value(of: IndexState.rulesField)
        }
        guard case .record(var record)?? = found else { return none }
        var epoch: Int64 = 0
        if case .integer(let stored)? = record[SealedField.keysCollection] { epoch = stored }
        record[SealedField.keysCollection] = nil
        return StoreRules(record.map { ($0.name, CollectionRules($0.value)) }, sealingEpoch: epoch)
    }

    /// Whether the store has no rules.
    var isEmpty: Bool { collections.isEmpty }

    /// The names of the collections with rules.
    var names: [String] { collections.map(\.name) }

    /// Returns the rules of a collection.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if another version of the library declared a rule
    ///   that this version cannot follow.
    func rules(of collection: String) throws(DataStoreError) -> CollectionRules {
        guard let rules = known(collection) else { return .none }
        guard let name = rules.unknownName else { return rules }
        throw DataStoreError(
            .unsupportedFormat,
            "the collection \(collection.escapingControlCharacters) has the rule \(name.escapingControlCharacters), "
                + "which another version of the library declared; use the program that declared it")
    }

    /// Returns the rules of each collection that has rules.
    ///
    /// - Throws: The errors of ``rules(of:)``.
    func all() throws(DataStoreError) -> [(name: String, rules: CollectionRules)] {
        try collections.map { (name, _) throws(DataStoreError) in (name, try rules(of: name)) }
    }

    /// Returns whether a record exists and has not expired.
    func exists(
        _ key: Key, at now: @autoclosure () -> Timestamp, in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> Bool {
        let expiry = try expiry(of: key.collection, at: now())
        return try transaction.view(of: key) { view throws(DataStoreError) in
            try expiry?.hasPassed(view) != true
        } == true
    }

    func known(_ collection: String) -> CollectionRules? {
        collections.first { $0.name.hasSameBytes(as: collection) }?.rules
    }

    /// Returns the references to the records of a collection.
    func references(to collection: String) -> [(collection: String, reference: Reference)] {
        collections.flatMap { name, rules in
            rules.references.filter { $0.target.hasSameBytes(as: collection) }.map { (name, $0) }
        }
    }

    // MARK: Changing

    /// Returns these rules with the rules that a schema declares, or `nil` if they contain all of them.
    func adding(_ schema: Schema) throws(DataStoreError) -> StoreRules? {
        var changed = self
        for collection in schema.collections where !collection.rules.isEmpty {
            var rules = try changed.rules(of: collection.name)
            if rules.satisfies(collection.rules) { continue }
            rules.add(collection.rules)
            changed = changed.replacing(rules, of: collection.name)
        }
        if changed === self { return nil }
        try changed.checkRestrictions()
        return changed
    }

    /// Returns these rules after a collection has been renamed.
    func renaming(_ collection: String, to newName: String) -> StoreRules {
        changing { changed in
            changed.rules.rename(collection, to: newName)
            if changed.name.hasSameBytes(as: collection) { changed.name = newName }
        }
    }

    /// Returns these rules after a field has been renamed, or `nil` if no values are sealed in it or within it.
    func renamingSealed(_ old: QueryField, of collection: String, to new: QueryField) -> StoreRules? {
        guard var rules = known(collection) else { return nil }
        let sealed = rules.sealed
        for (index, field) in sealed.enumerated() {
            guard let renamed = field.definition.field.renaming(old, to: new) else { continue }
            rules.sealed[index].definition.field = renamed
        }
        return rules.sealed == sealed ? nil : replacing(rules, of: collection)
    }

    /// Returns these rules without those of a collection, except for its sealed fields. Returns `nil` if it has no
    /// others.
    func removingDeclared(_ collection: String) -> StoreRules? {
        guard let rules = known(collection) else { return nil }
        var kept = CollectionRules.none
        kept.sealed = rules.sealed
        if kept == rules { return nil }
        return replacing(kept, of: collection)
    }

    /// Stores the rules.
    func put(in backend: any WriteBackend) throws(DataStoreError) {
        var catalogue = try ReadTransaction(backend).record(for: IndexState.storeCatalogue) ?? Record()
        var record = Record()
        for (name, rules) in collections { record[name] = .record(rules.record) }
        if sealingEpoch != 0 { record[SealedField.keysCollection] = .integer(sealingEpoch) }
        catalogue[IndexState.rulesField] = record.isEmpty ? nil : .record(record)
        try backend.putOrRemove(catalogue, for: IndexState.storeCatalogue)
    }
}

extension ReadTransaction {
    /// Returns the rules of the store. Later calls in the same snapshot return the cached rules.
    package func rules() throws(DataStoreError) -> StoreRules {
        guard let cache = backend.cache else { return try StoreRules.stored(in: self) }
        if let rules = cache.rules as? StoreRules { return rules }
        let rules = try StoreRules.stored(in: self)
        cache.remember(rules: rules)
        return rules
    }
}

extension WriteTransaction {
    /// Stores other rules of the store. Later changes of the transaction follow them.
    mutating func replaceRules(with rules: StoreRules) throws(DataStoreError) {
        try rules.put(in: backend)
        (maintenance as? RecordMaintenance)?.follow(nil)
    }
}
