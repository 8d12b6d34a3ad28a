import DataStoreCore

/// The indexes of a collection in a store: the definitions that any program declared, and their states.
struct IndexCatalogue {
    /// An index that this library can maintain.
    struct Item {
        let field: QueryField
        var state: IndexState

        /// The definition.
        var definition: IndexDefinition {
            IndexDefinition(field, isUnique: state.isUnique, isCovering: state.isCovering)
        }
    }

    let collection: String
    private(set) var items: [Item] = []
    /// Indexes that a newer library declared.
    private var unknown: [(name: String, value: Value)] = []
    /// The entry collections of indexes that an older library stored under a former name, if the current name exists,
    /// too.
    private var superseded: [String] = []
    /// The names of the breaking migrations of the collection, begun or complete.
    private(set) var breakingMigrations: [String] = []
    private var hasChanged = false

    /// The names that older libraries gave to the fields of indexes with a transform.
    private static let olderNames = [
        "users": [
            "mailAddress.comparable": QueryField("mailAddress", transform: .comparableMailAddress),
            "dayOfYear": QueryField("birthday", transform: .monthDay),
        ]
    ]

    /// Reads the catalogue of a collection.
    init(of collection: String, in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        self.init(of: collection, try transaction.record(for: IndexCatalogueRecord.key(of: collection)))
    }

    /// Parses the catalogue of a collection.
    init(of collection: String, _ record: Record?) {
        self.collection = collection
        guard let record else { return }
        var formerlyUnique: [QueryField] = []
        for field in record {
            if field.isNamed(IndexCatalogueRecord.migrationsField), let names = field.value.strings {
                breakingMigrations = names
                continue
            }
            let older = Self.olderNames[collection]?[field.name]
            let state = IndexState(field.value)
            // The names of older libraries need not be paths.
            let literal = state?.isOlder == true ? QueryField(field.name) : nil
            if let known = older ?? QueryField(parsing: field.name) ?? literal, let state {
                if older != nil, record[known.name] != nil {
                    superseded.append(state.entries)
                    if state.isUnique { formerlyUnique.append(known) }
                } else {
                    items.append(Item(field: known, state: state))
                }
                if older != nil { hasChanged = true }
            } else {
                unknown.append((field.name, field.value))
            }
        }
        for field in formerlyUnique {
            self[field.name]?.add(IndexDefinition(field, isUnique: true))
        }
    }

    /// The names of the indexes that a newer library declared.
    var unknownNames: [String] { unknown.map(\.name) }

    /// The state of an index.
    subscript(name: String) -> IndexState? {
        get { items.first { $0.field.name.hasSameBytes(as: name) }?.state }
        set {
            let index = items.firstIndex { $0.field.name.hasSameBytes(as: name) }
            guard let index, items[index].state != newValue else { return }
            hasChanged = true
            if let newValue { items[index].state = newValue } else { items.remove(at: index) }
        }
    }

    /// Adds a definition, or extends the stored one.
    mutating func declare(_ index: IndexDefinition, in backend: any NativeWriteBackend) throws(DataStoreError) {
        if unknownNames.contains(where: { $0.hasSameBytes(as: index.name) }) {
            throw IndexCatalogueRecord.unknownIndex(index.name, of: collection)
        }
        if var state = self[index.name] {
            state.add(index)
            self[index.name] = state
        } else {
            items.append(Item(field: index.field, state: try .begun(index, in: backend)))
            hasChanged = true
        }
    }

    /// Adds definitions, unless the stored ones satisfy them.
    mutating func declare(_ indexes: [IndexDefinition], in backend: any NativeWriteBackend) throws(DataStoreError) {
        if satisfies(indexes) { return }
        for index in indexes { try declare(index, in: backend) }
    }

    /// Adds the name of a breaking migration.
    ///
    /// - Returns: Whether it was added.
    mutating func addBreakingMigration(_ name: String) -> Bool {
        guard !breakingMigrations.contains(where: { $0.hasSameBytes(as: name) }) else { return false }
        breakingMigrations.append(name)
        hasChanged = true
        return true
    }

    /// Removes the names of all breaking migrations.
    mutating func removeBreakingMigrations() {
        hasChanged = hasChanged || !breakingMigrations.isEmpty
        breakingMigrations = []
    }

    /// Removes an index that a newer library declared. Its entries stay, because their form is unknown.
    ///
    /// - Returns: Whether it existed.
    mutating func removeUnknown(_ name: String) -> Bool {
        guard let index = unknown.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return false }
        unknown.remove(at: index)
        hasChanged = true
        return true
    }

    /// Whether the stored indexes satisfy definitions.
    func satisfies(_ indexes: [IndexDefinition]) -> Bool {
        indexes.allSatisfy { self[$0.name]?.satisfies($0) == true }
    }

    /// Marks all indexes as invalid.
    mutating func invalidateAll() {
        for item in items { self[item.field.name]?.progress = .invalid }
    }

    /// The collections of the entries of invalid indexes.
    var invalidEntries: [String] { items.filter { $0.state.isInvalid }.map(\.state.entries) }

    /// Writes the catalogue if it has changed.
    mutating func put(in backend: any NativeWriteBackend) throws(DataStoreError) {
        guard hasChanged else { return }
        var record = Record()
        for item in items { record[item.field.name] = item.state.value }
        for (name, value) in unknown { record[name] = value }
        if !breakingMigrations.isEmpty {
            record[IndexCatalogueRecord.migrationsField] = .array(breakingMigrations.map(Value.string))
        }
        let key = IndexCatalogueRecord.key(of: collection)
        if record.isEmpty { _ = try backend.remove(key) } else { try backend.put(record, for: key) }
        for entries in superseded { _ = try backend.removeFirst(.max, of: entries) }
        superseded = []
        hasChanged = false
    }
}

extension Value {
    /// The elements of an array of strings; `nil` for any other value.
    fileprivate var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        var strings: [String] = []
        for element in elements {
            guard case .string(let text) = element else { return nil }
            strings.append(text)
        }
        return strings
    }
}
