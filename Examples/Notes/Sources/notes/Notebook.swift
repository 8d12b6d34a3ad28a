import ArgumentParser
import RecordCoding
import UserProfileDomain
import UserProfileKit

/// Where the notes are kept: an option that all commands have.
struct Notebook: ParsableArguments {
    @Option(help: "Where notes are kept: lmdb:PATH or plist:PATH.")
    var store = "plist:notes.plist"

    /// Opens the storage, works with the notes, and closes it.
    func use(_ body: (any Repository<Note>, Settings) async throws -> Void) async throws {
        let storage = try await UserProfileStorage.open(store)
        do {
            try await body(try storage.repository(of: Note.self, in: "notes"), try storage.settings())
        } catch {
            await storage.close()
            throw error
        }
        await storage.close()
    }
}

extension Field<Int> {
    /// The number of the last note.
    static let lastNumber = Field("lastNumber", default: 0)
}
