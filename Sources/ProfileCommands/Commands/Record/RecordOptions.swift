import ArgumentParser
import DataStoreCore
import UserProfileDomain
import UserProfileKit

/// The command-line arguments that identify a record: its collection and its id.
struct RecordKey: ParsableArguments {
    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Argument(help: "The id of the record.")
    var id: String

    /// Returns the key of the record that the arguments identify.
    ///
    /// - Throws: `DataStoreError` if the collection or the id is invalid.
    func key() throws(DataStoreError) -> Key { try Key(collection: collection, id: id) }
}

extension Session {
    /// Returns the error for a record that is not saved. The message begins with `what`.
    ///
    /// If only other collections contain records, the message lists these collections, because the name `collection`
    /// may be misspelled.
    func notSaved(_ what: String, in collection: String, of storage: UserProfileStorage) async throws -> NothingSaved {
        let collections = try await storage.records.read { transaction in try transaction.collections() }
        guard !collections.isEmpty, !collections.contains(collection) else { return try await nothingSaved(what) }
        let names = collections.map { $0.excerpt(80) }.joined(separator: ", ")
        return NothingSaved(message: "\(what); the store has no collection \(collection.excerpt(80)), only \(names)")
    }
}
