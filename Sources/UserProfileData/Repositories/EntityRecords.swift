/// Operations that read and write entities in a transaction with a ``RecordMapping``. Repositories and units of
/// work share them.
///
/// It is a class, because a copy of a generic struct looks up its type at run time.
final class EntityRecords<Mapping: RecordMapping>: Sendable {
    typealias Entity = Mapping.Entity

    let store: SchemaStore
    let mapping: Mapping
    /// The indexes that queries can use, including the indexes that the rules of the mapping need.
    let indexes: [IndexDefinition]
    /// The record field that contains the id and determines the order of the entities, or `nil` if the ids are not
    /// integers.
    let idField: QueryField?
    /// A closure that receives the error of each invalid record that a list or a query skips. If it is `nil`, the list
    /// or the query throws the first error. A skipped record does not count towards a limit.
    let skipped: (@Sendable (RepositoryError) -> Void)?
    /// Whether the mapping seals fields. A cast for each query would take as long as reading a record.
    let isSealing: Bool
    /// The mapping if it encodes records itself.
    private let encoder: (any EncodesRecords<Entity>)?

    init(_ store: SchemaStore, mapping: Mapping, skipped: (@Sendable (RepositoryError) -> Void)? = nil) {
        self.store = store
        self.mapping = mapping
        self.skipped = skipped
        idField = mapping.integerIDField
        indexes = mapping.rules.completing(mapping.indexes)
        isSealing = mapping is any SealsFields
        encoder = mapping as? any EncodesRecords<Entity>
    }

    /// Returns the expiry of the collection, or `nil` if the entities do not expire.
    func expiry(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> Expiry? {
        try transaction.expiry(of: mapping.collection, at: store.now())
    }

    /// Returns the expiry of the collection, or `nil` if the entities do not expire.
    func expiry(in transaction: borrowing WriteTransaction) throws(DataStoreError) -> Expiry? {
        try transaction.expiry(of: mapping.collection, at: store.now())
    }

    /// Returns whether a record has not expired.
    func isCurrent(
        _ record: borrowing RecordView, in transaction: borrowing WriteTransaction
    ) throws(DataStoreError) -> Bool {
        try expiry(in: transaction)?.hasPassed(record) != true
    }

    /// Throws a `DataStoreError` if the program cannot read the collection.
    func checkMigrations(_ transaction: borrowing ReadTransaction) throws(DataStoreError) {
        try store.checkMigrations(of: mapping.collection, in: transaction)
        if !isSealing { try transaction.requireNoSealedFields(of: mapping.collection) }
    }

    // MARK: Keys

    /// Returns the key of the record in which the entity with an id is stored.
    func key(_ id: Entity.ID) throws(DataStoreError) -> Key {
        try Key(id: text(of: id), inValid: mapping.collection)
    }

    /// Converts the id of an entity to the id of its record. Throws `DataStoreError` if the id cannot be stored.
    func text(of id: Entity.ID) throws(DataStoreError) -> String {
        do {
            return try mapping.text(of: id)
        } catch {
            throw failure(.invalidKey, error, "create a key")
        }
    }

    // MARK: Reading

    /// Decodes an entity from a record. Throws `DataStoreError` with the code `corrupted` if the record is invalid.
    func entity(
        of record: borrowing RecordView, _ id: consuming Entity.ID, _ key: Key
    ) throws(DataStoreError) -> Entity {
        do {
            return try mapping.entity(of: record, id: id)
        } catch {
            throw readError(error, key)
        }
    }

    /// Converts the error of a read, whose cause is a damaged record unless the store failed.
    func readError(_ error: any Error, _ key: Key) -> DataStoreError {
        failure(.corrupted, error, "read a record", key)
    }

    /// Converts an error. `code` is the code for an error of the mapping.
    private func failure(
        _ code: DataStoreError.Code, _ error: any Error, _ operation: String, _ key: Key? = nil
    ) -> DataStoreError {
        (error as? DataStoreError)?.adding(operation: operation, key: key)
            ?? DataStoreError(code, "\(error)", operation: operation, key: key, underlying: error)
    }

    /// Returns the entity that is stored under a key. Throws ``MissingEntity`` if it does not exist. If nothing else is
    /// found, call ``checkMigrations(_:)``.
    @inline(__always)
    private func stored(_ id: Entity.ID, _ key: Key, in transaction: borrowing ReadTransaction) throws -> Entity {
        do {
            let isHidden = try expiry(in: transaction)?.hasPassed
            return try mapping.readEntity(id, under: key, in: transaction, unless: isHidden)
        } catch let error as MissingEntity {
            throw error
        } catch {
            throw readError(error, key)
        }
    }

    /// Returns the entity that is stored under a key. Throws ``MissingEntity`` if it does not exist.
    func existing(_ id: Entity.ID, _ key: Key, in transaction: borrowing ReadTransaction) throws -> Entity {
        do {
            return try stored(id, key, in: transaction)
        } catch let error as MissingEntity {
            try checkMigrations(transaction)
            throw error
        }
    }

    /// Returns the entity with an id, or `nil` if it does not exist.
    func find(_ id: Entity.ID, in transaction: borrowing ReadTransaction) throws -> Entity? {
        do {
            return try existing(id, key(id), in: transaction)
        } catch is MissingEntity {
            return nil
        }
    }

    /// Returns the entities with the given ids that exist.
    func find(_ ids: [Entity.ID], in transaction: borrowing ReadTransaction) throws -> [Entity] {
        try ids.compactMap { id in
            do { return try stored(id, key(id), in: transaction) } catch is MissingEntity { return nil }
        }
    }

    /// Decodes an entity of a list or a query. Returns `nil` if its record is invalid and ``skipped`` is set.
    func listed(_ record: borrowing RecordView, _ idText: Span<UInt8>) throws(DataStoreError) -> Entity? {
        do {
            return try mapping.entity(of: record, idText: idText)
        } catch {
            try skip(idText, error)
            return nil
        }
    }

    /// Decodes an entity of a query before it is changed.
    func listed(_ record: borrowing ReplacedRecord, _ key: Key) throws(DataStoreError) -> Entity? {
        switch record {
        case .stored(let record):
            try key.id.withBytes { (id) throws(DataStoreError) in try listed(record, id) }
        default: nil
        }
    }

    /// Appends an entity of a list or a query, unless its record is invalid and ``skipped`` is set.
    private func append(
        _ record: borrowing RecordView, _ idText: Span<UInt8>, to entities: inout [Entity]
    ) throws(DataStoreError) {
        do {
            try mapping.appendEntity(of: record, idText: idText, to: &entities)
        } catch {
            try skip(idText, error)
        }
    }

    /// Reports the error of an invalid record to ``skipped``. Throws the error if ``skipped`` is not set.
    private func skip(_ idText: Span<UInt8>, _ error: any Error) throws(DataStoreError) {
        let error = readError(error, Key(stored: String(decoding: idText), in: mapping.collection))
        guard let skipped, error.code == .corrupted else { throw error }
        skipped(RepositoryError.of(error))
    }

    /// Returns the entities of a range of records.
    func list(_ ids: IDRange, limit: Int?, in transaction: borrowing ReadTransaction) throws -> [Entity] {
        var entities: [Entity] = []
        let maximumCount = limit ?? .max
        let expiry = try expiry(in: transaction)
        // A record that is left out does not count towards the limit.
        let isComplete = skipped == nil && expiry == nil || maximumCount < 1
        let scan = Scan(stored: mapping.collection, ids: ids, limit: isComplete ? limit : nil)
        try transaction.forEachBytes(in: scan) { id, record in
            if try expiry?.hasPassed(record) == true { return .next }
            try append(record, id, to: &entities)
            return !isComplete && entities.count == maximumCount ? .stop : .next
        }
        return entities
    }

    /// Passes the entities that a query selects to `body`, with their keys and records. If the query has a limit, the
    /// last record before the position of the next page is one that can be decoded.
    ///
    /// - Parameters:
    ///   - query: The condition, the order and the maximum number of records.
    ///   - transaction: The transaction to read in.
    ///   - known: A closure that returns the entity of a record if the caller already knows it.
    ///   - body: A closure that receives each entity.
    /// - Returns: The position of the next page, or `nil` on the last page.
    /// - Throws: The error of `body`, or `DataStoreError` if a record is damaged.
    func forEach(
        _ query: RecordQuery, in transaction: borrowing ReadTransaction,
        known: (Key, borrowing RecordView) -> Entity? = { _, _ in nil },
        _ body: (Entity, Key, borrowing RecordView) throws -> Void
    ) throws -> RecordQuery.Cursor? {
        let limit = query.limit ?? .max
        var query = query
        var count = 0
        while true {
            let next = try transaction.forEachView(matching: query) { key, record in
                guard let entity = try known(key, record) ?? key.id.withBytes({ try listed(record, $0) }) else {
                    return .next
                }
                try body(entity, key, record)
                count += 1
                return count == limit ? .stop : .next
            }
            guard let position = next, count < limit else { return next }
            query.cursor = position
            // A sort without an index reads all records again. The greater limit keeps the number of repetitions low.
            query.limit = query.limit.map { $0 * 2 }
        }
    }

    /// Returns the entities that a lookup finds, or `nil` if its index cannot be used.
    func entities(
        _ lookup: FieldLookup, _ value: Value, in transaction: borrowing ReadTransaction
    ) throws -> [Entity]? {
        var entities: [Entity] = []
        var expiry: Expiry?
        var isFirst = true
        let isFound = try lookup.forEachView(of: value, in: transaction) { key, record in
            // The lookup requests the rules of the store together with its entries.
            if isFirst { (expiry, isFirst) = (try self.expiry(in: transaction), false) }
            if try expiry?.hasPassed(record) == true { return }
            try key.id.withBytes { try append(record, $0, to: &entities) }
        }
        return isFound ? entities : nil
    }

    /// Returns the page of entities that a query selects.
    func page(_ query: Query<Entity>, in transaction: borrowing ReadTransaction) throws -> Page<Entity> {
        let query = try recordQuery(query)
        var entities: [Entity] = []
        // A limit can be much greater than the number of entities that exist.
        entities.reserveCapacity(min(query.limit ?? 0, 64))
        let next: RecordQuery.Cursor?
        if skipped == nil {
            next = try transaction.forEachView(matching: query) { key, record in
                try key.id.withBytes { try append(record, $0, to: &entities) }
                return .next
            }
        } else {
            next = try forEach(query, in: transaction) { entity, _, _ in entities.append(entity) }
        }
        // `isEmpty` would look up the type of the array.
        if entities.count == 0 { try checkMigrations(transaction) }
        return Page(entities: entities, next: try next.map(cursor))
    }

    // MARK: Writing

    /// Returns the record that a save of an entity replaces.
    func replaced(_ key: Key, in transaction: borrowing WriteTransaction) throws(DataStoreError) -> ReplacedRecord {
        // A mapping that does not encode records itself needs the decoded record.
        if encoder == nil { .read(try transaction.record(for: key)) } else { try transaction.reading.replaced(key) }
    }

    /// Saves an entity. Fields of the old record that the mapping does not know are preserved.
    func save(_ entity: Entity, _ key: Key, in transaction: inout WriteTransaction) throws(DataStoreError) {
        try put(entity, key, over: replaced(key, in: transaction), in: &transaction)
    }

    /// Changes an entity and returns the result of `change`.
    ///
    /// `change` receives `nil` if the entity does not exist. If `change` sets the entity to `nil`, its record is
    /// removed.
    func update<Result>(
        _ id: Entity.ID, in transaction: inout WriteTransaction, _ change: (inout Entity?) throws -> Result
    ) throws -> Result {
        let key = try key(id)
        let old = try replaced(key, in: transaction)
        var changed: Entity?
        switch old {
        case .stored(let record):
            if try isCurrent(record, in: transaction) { changed = try entity(of: record, id, key) }
        default: break
        }
        let result = try ChangeFailure.wrapping { try change(&changed) }
        if let changed {
            try replace(old, with: changed, key, in: &transaction)
        } else {
            try transaction.remove(key)
        }
        return result
    }

    /// Saves a changed entity over its old record. Throws `DataStoreError` if the entity has another id than `key`.
    func replace(
        _ old: borrowing ReplacedRecord, with changed: Entity, _ key: Key, in transaction: inout WriteTransaction
    ) throws(DataStoreError) {
        let text = try text(of: changed.id)
        guard text.hasSameBytes(as: key.id) else {
            throw DataStoreError(
                .misuse, "the changed entity has another id, \(text); keep the id", operation: "save a record",
                key: key)
        }
        try put(changed, key, over: old, in: &transaction)
    }

    /// Removes an entity, and returns whether it existed. An expired entity is removed, too, but did not exist.
    func remove(_ key: Key, in transaction: inout WriteTransaction) throws(DataStoreError) -> Bool {
        guard let expiry = try expiry(in: transaction) else {
            return try transaction.remove(key)
        }
        let isCurrent = try transaction.reading.view(of: key) { view throws(DataStoreError) in
            try !expiry.hasPassed(view)
        }
        try transaction.remove(key)
        return isCurrent == true
    }

    /// Removes the entities that a query selects and whose records meet a condition, and returns their number.
    func removeAll(
        matching query: RecordQuery, from transaction: inout WriteTransaction,
        where condition: (Key, borrowing RecordView) throws -> Bool = { _, _ in true }
    ) throws -> Int {
        var keys: [Key] = []
        try transaction.forEachView(matching: query) { key, record in
            if try condition(key, record) { keys.append(key) }
            return .next
        }
        for key in keys { try transaction.remove(key) }
        return keys.count
    }

    private func put(
        _ entity: Entity, _ key: Key, over old: borrowing ReplacedRecord, in transaction: inout WriteTransaction
    ) throws(DataStoreError) {
        let record: RecordView
        do {
            record = try self.record(of: entity, replacing: old, in: transaction)
        } catch {
            throw failure(.invalidRecord, error, "save a record", key)
        }
        do throws(DataStoreError) {
            try transaction.put(record, for: key, replacing: old)
        } catch {
            throw error.renamingFields { path in
                mapping.queryFields.first { $0.value.field.path == path && $0.value.field.transform == nil }?.key
                    ?? path
            }
        }
    }

    private func record(
        of entity: Entity, replacing old: borrowing ReplacedRecord, in transaction: borrowing WriteTransaction
    ) throws -> RecordView {
        switch old {
        case .stored(let old):
            // The fields of an expired record do not belong to the new one.
            guard try isCurrent(old, in: transaction) else { break }
            guard let encoder else { return RecordView(try mapping.record(of: entity, replacing: old.record())) }
            return RecordView(try encoder.encoded(entity, replacing: old.encodedRecord()))
        default: break
        }
        if let encoder { return RecordView(try encoder.encoded(entity, replacing: nil)) }
        return RecordView(try mapping.record(of: entity, replacing: nil))
    }
}
