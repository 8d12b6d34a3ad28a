extension DataStoreRepository {
    /// Returns a sequence of the entity with an id: first its current state, then the new state after each change.
    package func updates(of id: Entity.ID) -> Updates<Entity?> {
        Updates(returning: { $0.value }) {
            let key = try records.key(id)
            var updates = RecordUpdates<ObservedEntity<Entity>>(store, [.key(key)]) { first, second in
                first.record == second.record || isEqual(first.value, second.value)
            } _: { _, transaction in
                guard let record = try record(for: key, in: transaction) else { return (nil, nil, nil) }
                let entity = try records.entity(of: RecordView(record), id, key)
                return (entity, record, try records.expiry(in: transaction)?.date(of: RecordView(record)))
            }
            updates.timeLeft = { store.timeLeft(until: $0.expiry) }
            return updates
        }
    }

    /// Returns a sequence of the page that a query selects: first the current page, then the new page after each
    /// change.
    package func updates(matching query: Query<Entity>) -> Updates<Page<Entity>> {
        Updates(returning: { $0.page }) {
            // The query of a sealed field needs keys, which the store loads for a transaction.
            var updates = RecordUpdates(
                store, [.collection(mapping.collection)], isSame: ObservedPage<Entity>.isSame
            ) {
                try records.observedPage(records.recordQuery(query), after: $0, in: $1)
            }
            updates.isAffected = { page, changes, transaction in
                // New keys change the condition on a sealed field.
                let current = records.isSealing ? try? records.recordQuery(query) : page.query
                return page.isAffected(by: changes, of: current, transaction)
            }
            updates.timeLeft = { page in store.timeLeft(until: page.rows.lazy.compactMap(\.expiry).min()) }
            return updates
        }
    }
}

extension DataStoreUnitOfWork {
    /// Returns a sequence of the results of a closure: first its current result, then the new result after each change
    /// to a collection that the closure has read.
    package func updates<Result: Sendable>(
        _ body: @escaping @Sendable (any SnapshotScope) throws -> Result
    ) -> Updates<Result> {
        Updates(returning: { $0.result }) {
            var updates = RecordUpdates<ObservedResult<Result>>(store, []) { first, second in
                isEqual(first.result, second.result)
            } _: { _, transaction in
                let scope = DataStoreUnitScope(store, mappings)
                let result = try scope.run(on: transaction.backend, body)
                let now = store.now()
                let expiry = try scope.collections.compactMap { try transaction.nextExpiry(of: $0, after: now) }.min()
                return (result, Set(scope.collections.map(ChangeScope.collection)), expiry)
            }
            updates.timeLeft = { store.timeLeft(until: $0.expiry) }
            updates.dependencies = { $0.scopes }
            return updates
        }
    }
}

extension EntityRecords {
    /// Reads the page that a query selects. A record that has not changed since the previous page is not decoded again.
    fileprivate func observedPage(
        _ query: RecordQuery, after previous: ObservedPage<Entity>?, in transaction: borrowing ReadTransaction
    ) throws -> ObservedPage<Entity> {
        var (entities, rows): ([Entity], [ObservedPage<Entity>.Row]) = ([], [])
        let expiry = try expiry(in: transaction)
        var search = 0
        var known: ObservedPage<Entity>.Row?
        let next = try forEach(query, in: transaction) { key, record in
            known = nil
            guard let previous, let index = previous.index(of: key, from: search) else { return nil }
            search = index + 1
            guard record.isSame(as: previous.rows[index].record) else { return nil }
            known = previous.rows[index]
            return previous.page.entities[index]
        } _: { entity, key, record in
            entities.append(entity)
            rows.append(
                try known ?? (key: key, record: record.copy(), expiry: expiry?.date(of: record)))
        }
        if entities.isEmpty { try checkMigrations(transaction) }
        let page = Page(entities: entities, next: try next.map(cursor))
        return ObservedPage(query: query, page: page, rows: rows, end: next)
    }
}

/// An entity, with the record from which it was decoded.
private typealias ObservedEntity<Entity> = (value: Entity?, record: Record?, expiry: Timestamp?)

/// The result of a closure, the records that it has read, and the date on which the next of them expires.
private typealias ObservedResult<Result> = (result: Result, scopes: Set<ChangeScope>, expiry: Timestamp?)

/// A page of entities, with copies of the records from which they were decoded.
private struct ObservedPage<Entity: Identifiable & Sendable>: Sendable where Entity.ID: Sendable {
    typealias Row = (key: Key, record: RecordView.Copy, expiry: Timestamp?)

    /// The query that selected the page.
    let query: RecordQuery
    let page: Page<Entity>
    /// The keys and the records of the entities.
    let rows: [Row]
    /// The position of the last record if the page is full.
    let end: RecordQuery.Cursor?

    /// Returns the index of a key near the index at which it is expected, or `nil`.
    func index(of key: Key, from start: Int) -> Int? {
        // Usually, a record is where it was, or one record before it was added or removed.
        rows.indices.dropFirst(start).prefix(2).first { rows[$0].key == key }
    }

    /// Returns whether changed records may change the page: a record of the page, or a record that is now part of it.
    func isAffected(
        by changes: ChangedKeys, of query: RecordQuery?, _ transaction: borrowing ReadTransaction
    ) -> Bool {
        guard let query, let keys = changes.keys(in: query.collection) else { return true }
        do {
            return try keys.contains { key in
                if rows.contains(where: { $0.key == key }) { return true }
                return try transaction.withView(of: key) { try query.contains($0, key, upTo: end) } == true
            }
        } catch {
            // The read of the page throws the error, if it reads the record.
            return true
        }
    }

    @Sendable static func isSame(_ first: ObservedPage, _ second: ObservedPage) -> Bool {
        first.page.next == second.page.next
            && (first.rows.elementsEqual(second.rows) { $0.key == $1.key && $0.record == $1.record }
                || first.page.entities.elementsEqual(second.page.entities, by: isEqual))
    }
}

extension SchemaStore {
    /// Returns the time until a date, or `nil` if there is no date.
    func timeLeft(until date: Timestamp?) -> Duration? { date.map { now().duration(to: $0) } }
}

/// Returns whether two values are equal, or `false` if their type is not `Equatable`.
///
/// An update sequence calls this function only if the stored records of the last and the new element differ.
package func isEqual<Value>(_ first: Value, _ second: Value) -> Bool {
    func isEqual<Other: Equatable>(_ first: Other) -> Bool { second as? Other == first }
    return (first as? any Equatable).map { isEqual($0) } ?? false
}

extension Updates {
    /// Creates a sequence of the values of repeatedly read states.
    ///
    /// - Parameters:
    ///   - value: The value of a state.
    ///   - updates: A closure that returns the sequence of the states. If it throws, the sequence throws the error and
    ///     then ends.
    package init<State: Sendable>(
        returning value: @escaping @Sendable (State) -> Element,
        _ updates: @escaping @Sendable () throws -> RecordUpdates<State>
    ) {
        self.init {
            var start: (@Sendable () throws -> RecordUpdates<State>)? = updates
            var iterator: RecordUpdates<State>.AsyncIterator?
            return { () async throws(RepositoryError) -> Element? in
                do {
                    // If the closure throws, the sequence has no iterator and ends.
                    if let start = start.take() { iterator = try start().makeAsyncIterator() }
                    return try await iterator?.next(isolation: #isolation).map(value)
                } catch {
                    throw RepositoryError.of(error)
                }
            }
        }
    }
}
