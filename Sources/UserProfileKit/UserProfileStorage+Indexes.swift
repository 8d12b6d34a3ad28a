import DataStoreCore
public import DataStoreQueries
import UserProfileData

extension UserProfileStorage {
    /// Makes the indexes that users, forecasts and the embedding program's entities are found and sorted by, for what is there
    /// already. Where it is done, that is found out in a moment; where it is not, reads and writes go on meanwhile.
    ///
    /// Few entities need none of it: the next save makes their indexes. Without it everything is found all the same, by
    /// looking at all.
    ///
    /// - Parameter progress: is told which index is being made, as `users by birthday`, and how many entities have been
    ///   looked at.
    /// - Throws: `DataStoreError`, with the code `notUnique` where two users have a mail address that only one may have;
    ///   `CancellationError`. What was made so far stays.
    public func buildIndexes(progress: (_ index: String, _ count: Int) -> Void = { _, _ in }) async throws {
        for mapping in mappings {
            try await store.buildIndexes(mapping.indexes, of: mapping.collection) { name, count in
                progress("\(mapping.collection) by \(name)", count)
            }
        }
    }

    /// Compares the indexes with what is kept.
    ///
    /// - Returns: what was found, by the collections.
    /// - Throws: `DataStoreError`, e.g. with the code `corrupted` where a record is damaged.
    public func checkIndexes() async throws -> [(collection: String, reports: [IndexReport])] {
        var found: [(collection: String, reports: [IndexReport])] = []
        for mapping in mappings where !mapping.indexes.isEmpty {
            found.append(
                (mapping.collection, try await store.checkIndexes(mapping.indexes, of: mapping.collection)))
        }
        return found
    }

    /// Makes all indexes again, whatever is there of them.
    ///
    /// - Parameter progress: as with ``buildIndexes(progress:)``.
    /// - Throws: as ``buildIndexes(progress:)``.
    public func rebuildIndexes(progress: (_ index: String, _ count: Int) -> Void = { _, _ in }) async throws {
        for mapping in mappings {
            try await store.rebuildIndexes(mapping.indexes, of: mapping.collection) { name, count in
                progress("\(mapping.collection) by \(name)", count)
            }
        }
    }
}
