import ArgumentParser
import UserProfileKit

/// The location of the notes: an option of all commands.
struct Notebook: ParsableArguments {
    @Option(
        help: "The location of the notes: lmdb:PATH or plist:PATH. (default: plist:notes.plist)",
        transform: { try StorageLocation($0) })
    var store = StorageLocation.plist("notes.plist")

    /// The program's only declaration of its entities.
    static let entities = [EntityType(Note.self, in: "notes", indexes: [.on("due")])]

    /// Opens the storage, passes the notes and settings to a closure, and closes the storage.
    func use(_ body: (any Repository<Note>, Settings) async throws -> Void) async throws {
        try await UserProfileStorage.open(store, entities: Self.entities).closing { storage in
            try await body(storage.repository(of: Note.self), storage.settings())
        }
    }
}

extension Field<Int> {
    /// The number of the last note that was added.
    static let lastNumber = Field("lastNumber", default: 0)
}
