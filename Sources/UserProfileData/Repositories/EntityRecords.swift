import DataStoreCore
import DataStoreQueries
import UserProfileDomain

/// Entities of one kind in a transaction: what a mapping says, as keys and records.
struct EntityRecords<Mapping: RecordMapping>: Sendable {
    let mapping: Mapping

    func key(_ id: Mapping.Entity.ID) throws(DataStoreError) -> Key {
        try Key(collection: mapping.collection, id: text(of: id))
    }

    func text(of id: Mapping.Entity.ID) throws(DataStoreError) -> String {
        do {
            return try mapping.text(of: id)
        } catch let error as DataStoreError {
            throw error
        } catch {
            throw DataStoreError(.invalidKey, "\(error)", operation: "make a key", underlying: error)
        }
    }

    func id(of key: Key) throws(DataStoreError) -> Mapping.Entity.ID {
        do {
            return try mapping.id(of: key.id)
        } catch {
            throw corrupted(key, error)
        }
    }

    func entity(
        of record: borrowing RecordView, _ id: Mapping.Entity.ID, _ key: Key
    ) throws(DataStoreError) -> Mapping.Entity {
        do {
            return try mapping.entity(of: record, id: id)
        } catch let error as DataStoreError {
            throw error.adding(operation: "read a record", key: key)
        } catch {
            throw corrupted(key, error)
        }
    }

    private func corrupted(_ key: Key, _ error: any Error) -> DataStoreError {
        DataStoreError(.corrupted, "\(error)", operation: "read a record", key: key, underlying: error)
    }

    /// Saves an entity over the record that the transaction has read. Fields that the mapping does not know are kept.
    func put(
        _ entity: Mapping.Entity, _ key: Key, over old: Record?, in transaction: inout WriteTransaction
    ) throws(DataStoreError) {
        let record: Record
        do {
            record = try mapping.record(of: entity, replacing: old)
        } catch let error as DataStoreError {
            throw error.adding(operation: "save a record", key: key)
        } catch {
            throw DataStoreError(.invalidRecord, "\(error)", operation: "save a record", key: key, underlying: error)
        }
        try transaction.put(record, for: key, replacing: .read(old))
    }
}
