import DataStoreCore
import DataStoreQueries
import UserProfileDomain

/// The repositories of one unit of work: they share its transaction, for as long as it runs.
final class DataStoreUnitScope: UnitOfWorkScope {
    private let mappings: [ObjectIdentifier: any RecordMapping]
    /// That of the unit while it runs; before and after it one that refuses everything.
    private var transaction = WriteTransaction(EndedBackend())
    private var failure: (any Error)?

    init(_ mappings: [ObjectIdentifier: any RecordMapping]) { self.mappings = mappings }

    /// Runs a closure that changes something in a transaction.
    func run<Result>(
        _ work: (any UnitOfWorkScope) throws -> Result, in transaction: inout WriteTransaction
    ) throws -> Result {
        swap(&self.transaction, &transaction)
        defer { swap(&self.transaction, &transaction) }
        let result = Swift.Result { try work(self) }
        // Also where the closure passed over it: half of a step must not be committed. As it is, because a store may be
        // able to help itself and run all again.
        if let failure { throw failure }
        do {
            return try result.get()
        } catch {
            throw ChangeFailure(cause: error)
        }
    }

    /// Does one step in the transaction.
    func step<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
        do {
            return try body(&transaction)
        } catch {
            failure = failure ?? error
            throw RepositoryError.mapped(error)
        }
    }

    func repository<Entity>(of type: Entity.Type) throws -> any UnitOfWorkRepository<Entity> {
        guard let mapping = mappings[ObjectIdentifier(type)] as? any RecordMapping<Entity> else {
            throw RepositoryError(.unexpected, message: "the unit of work has no mapping of \(type)")
        }
        return repository(mapping)
    }

    private func repository<Mapping: RecordMapping>(
        _ mapping: Mapping
    ) -> any UnitOfWorkRepository<Mapping.Entity> {
        DataStoreUnitRepository(scope: self, records: EntityRecords(mapping: mapping))
    }
}

/// What is left of a transaction that is over: nothing can be done in it.
private final class EndedBackend: WriteBackend {
    private var error: DataStoreError { DataStoreError(.closed, "the unit of work is over") }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool { throw error }
    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) { throw error }
    func collection(after name: String?) throws(DataStoreError) -> String? { throw error }
    func put(_ record: Record, for key: Key) throws(DataStoreError) { throw error }
    func remove(_ key: Key) throws(DataStoreError) -> Bool { throw error }
}

/// A repository within a unit of work.
private struct DataStoreUnitRepository<Mapping: RecordMapping>: UnitOfWorkRepository {
    let scope: DataStoreUnitScope
    let records: EntityRecords<Mapping>

    func find(_ id: Mapping.Entity.ID) throws -> Mapping.Entity? {
        try scope.step { transaction in
            let key = try records.key(id)
            return try records.find(id, key, in: transaction.reading)
        }
    }

    func find(_ query: Query<Mapping.Entity>) throws -> Page<Mapping.Entity> {
        try scope.step { transaction in
            try records.page(of: transaction.records(matching: records.recordQuery(query)))
        }
    }

    func save(_ entity: Mapping.Entity) throws { try save(contentsOf: CollectionOfOne(entity)) }

    func save(contentsOf entities: [Mapping.Entity]) throws { try save(contentsOf: entities[...]) }

    private func save(contentsOf entities: some Collection<Mapping.Entity>) throws {
        try scope.step { transaction in
            for entity in entities {
                try records.save(entity, try records.key(entity.id), in: &transaction)
            }
        }
    }

    func delete(_ id: Mapping.Entity.ID) throws -> Bool {
        try scope.step { transaction in try transaction.remove(try records.key(id)) }
    }
}
