package import DataStoreCore
import DataStoreQueries
import RecordCoding
import UserProfileData
package import UserProfileDomain

extension UserProfileStorage {
    /// Validates a record that is saved without a repository.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The key of the record.
    ///   - now: The current time, which determines whether a birthday is in the future.
    /// - Throws: `DataStoreError` with the code `invalidRecord` if the repository of the collection cannot read the
    ///   record, or if the birthday of a user is in the future. A collection without a repository accepts every record.
    package func validate(_ record: Record, for key: Key, now: Instant) throws(DataStoreError) {
        do {
            for mapping in mappings.values where mapping.collection == key.collection {
                if let user = try mapping.decoded(record, key) as? User { try user.birthday?.checkHasBegun(at: now) }
            }
        } catch {
            throw DataStoreError(.invalidRecord, "\(error)", operation: "save a record", key: key, underlying: error)
        }
    }

    /// Returns the key of the record that contains a group of settings.
    ///
    /// - Parameter name: The name of the group.
    /// - Returns: The key.
    /// - Throws: `DataStoreError` if the name is invalid.
    package func settingsKey(named name: String) throws(DataStoreError) -> Key {
        try Key(collection: Settings.collection, id: name)
    }
}

extension RecordMapping {
    /// Decodes a record.
    fileprivate func decoded(_ record: Record, _ key: Key) throws -> Entity {
        try entity(of: RecordView(record), id: try id(of: key.id))
    }
}
