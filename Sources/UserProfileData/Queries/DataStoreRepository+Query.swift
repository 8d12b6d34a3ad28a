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
            // Not the result of the closure: what is passed on by code that does not know its type is copied.
            var entities: [Entity] = []
            var next: RecordQuery.Cursor?
            try await store.read { transaction in
                next = try transaction.forEachView(matching: recordQuery) { key, record in
                    entities.append(try records.entity(of: record, try records.id(of: key), key))
                    return .next
                }
            }
            return Page(entities: entities, next: try next.map(records.cursor))
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

    /// Shows the entities that a query asks for, of one snapshot.
    public func forEach(_ query: Query<Entity>, _ body: (Entity) throws -> Void) async throws {
        do {
            let recordQuery = try records.recordQuery(query)
            try await store.read { transaction in
                _ = try transaction.forEachView(matching: recordQuery) { key, record in
                    let entity = try records.entity(of: record, try records.id(of: key), key)
                    do {
                        try body(entity)
                    } catch {
                        throw ChangeFailure(cause: error)
                    }
                    return .next
                }
            }
        } catch let error as ChangeFailure {
            // What the caller's closure threw goes to the caller as it is.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}
