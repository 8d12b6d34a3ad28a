import DataStoreCore
import DataStoreQueries
public import UserProfileDomain

extension DataStoreRepository {
    /// A page of the entities that a query asks for, of one snapshot.
    ///
    /// It uses an index of the mapping where one helps, and looks at all records of the collection otherwise.
    public func find(_ query: Query<Entity>) async throws -> Page<Entity> {
        do {
            let recordQuery = try records.recordQuery(query)
            return try await store.read { transaction in
                var entities: [Entity] = []
                let next = try transaction.forEachView(matching: recordQuery) { key, record in
                    entities.append(try records.entity(of: record, try records.id(of: key), key))
                    return .next
                }
                return Page(entities: entities, next: try next.map(records.cursor))
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Looks for the entities that a query asks for, and says how they were found.
    public func explain(_ query: Query<Entity>) async throws -> QueryExplanation {
        do {
            let recordQuery = try records.recordQuery(query)
            let report = try await store.read { transaction in try transaction.explain(recordQuery) }
            return QueryExplanation(
                index: report.index, isInOrder: report.isInOrder, entryCount: report.entryCount,
                entityCount: report.recordCount, foundCount: report.foundCount)
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Combines the entities that a query selects, in one snapshot.
    public func reduce<Value: Sendable>(
        _ query: Query<Entity>, into initial: Value, _ update: @Sendable (inout Value, Entity) throws -> Void
    ) async throws -> Value {
        do {
            let recordQuery = try records.recordQuery(query)
            return try await store.read { transaction in
                var value = initial
                _ = try transaction.forEachView(matching: recordQuery) { key, record in
                    let entity = try records.entity(of: record, try records.id(of: key), key)
                    do {
                        try update(&value, entity)
                    } catch {
                        throw ChangeFailure(cause: error)
                    }
                    return .next
                }
                return value
            }
        } catch let error as ChangeFailure {
            // The caller's own error.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}
