import ArgumentParser
import DataStoreCore
import UserProfileDomain
import UserProfileKit

/// The arguments that name a record.
struct RecordKey: ParsableArguments {
    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Argument(help: "The id of the record.")
    var id: String

    /// Returns the key.
    ///
    /// - Throws: `DataStoreError` if the collection or the id is invalid.
    func key() throws(DataStoreError) -> Key { try Key(collection: collection, id: id) }
}

extension Session {
    /// Returns the error for a missing record. If its collection has no records, the message lists the others, because
    /// the name may be mistyped.
    func notSaved(_ what: String, in collection: String, of storage: UserProfileStorage) async throws -> NothingSaved {
        let collections = try await storage.records.read { transaction in try transaction.collections() }
        guard !collections.isEmpty, !collections.contains(collection) else { return try await nothingSaved(what) }
        let names = collections.map { $0.excerpt(80) }.joined(separator: ", ")
        return NothingSaved(message: "\(what): the collection has no records; the store has \(names)")
    }
}
