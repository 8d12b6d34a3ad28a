import DataStoreCore
import DataStoreQueries
package import UserProfileDomain

extension DataStoreRepository {
    /// Returns a sequence of the entity with an id: first its current state, then the new state after each change.
    package func updates(of id: Entity.ID) -> Updates<Entity?> {
        Updates {
            next {
                let key = try records.key(id)
                return (
                    .key(key),
                    { transaction in
                        guard let record = try record(for: key, in: transaction) else { return Snapshot(nil, of: []) }
                        let entity = try records.entity(of: RecordView(record), id, key)
                        return Snapshot(entity, of: [Entry(key: key, record: record)])
                    }
                )
            } isSame: { first, second in
                switch (first, second) {
                case (nil, nil): true
                case (let first?, let second?): areEqual(first, second)
                default: false
                }
            }
        }
    }

    /// Returns a sequence of the page that a query selects: first the current page, then the new page after each
    /// change.
    package func updates(matching query: Query<Entity>) -> Updates<Page<Entity>> {
        Updates {
            next {
                (
                    .collection(mapping.collection),
                    { transaction in
                        // The query of a sealed field needs keys, which the store loads for a transaction.
                        let recordQuery = try records.recordQuery(query)
                        var (entities, entries): ([Entity], [Entry]) = ([], [])
                        let next = try records.forEach(recordQuery, in: transaction) { entity, key, record in
                            entities.append(entity)
                            entries.append(Entry(key: key, record: try record.record()))
                        }
                        if entities.isEmpty { try checkMigrations(transaction) }
                        return Snapshot(Page(entities: entities, next: try next.map(records.cursor)), of: entries)
                    }
                )
            } isSame: { first, second in
                first.next == second.next && first.entities.elementsEqual(second.entities, by: areEqual)
            }
        }
    }

    private func next<Value: Sendable>(
        _ makeObservation: @escaping () throws -> Observation<Value>, isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> Updates<Value>.Next {
        var iterator: RecordUpdates<Snapshot<Value>>.AsyncIterator?
        return { () async throws(RepositoryError) -> Value? in
            do {
                if iterator == nil {
                    let (scope, read) = try makeObservation()
                    iterator = store.updates(
                        within: scope, isSame: { $0.entries == $1.entries || isSame($0.value, $1.value) }, read
                    ).makeAsyncIterator()
                }
                return try await iterator?.next(isolation: #isolation)?.value
            } catch {
                throw RepositoryError.of(error)
            }
        }
    }

    /// Returns whether two entities are equal, or `false` if the entity type is not `Equatable`.
    ///
    /// An update sequence calls this function only if the stored entries of the last and the new element differ.
    @Sendable private func areEqual(_ first: Entity, _ second: Entity) -> Bool {
        func isEqual<Value: Equatable>(_ first: Value) -> Bool { second as? Value == first }
        guard let first = first as? any Equatable else { return false }
        return isEqual(first)
    }
}

/// The records that an update sequence observes, and the closure that reads its next element.
private typealias Observation<Value> = (
    scope: ChangeScope, read: @Sendable (borrowing ReadTransaction) throws -> Snapshot<Value>
)

/// A decoded value, and the stored entries from which it was decoded.
private struct Snapshot<Value: Sendable>: Sendable {
    let value: Value
    let entries: [Entry]

    init(_ value: Value, of entries: [Entry]) {
        self.value = value
        self.entries = entries
    }
}
