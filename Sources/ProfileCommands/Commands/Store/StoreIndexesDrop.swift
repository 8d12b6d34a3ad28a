import ArgumentParser
import UserProfileKit

/// The command `store indexes drop`, which removes an index.
struct StoreIndexesDrop: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Remove an index from a store.",
        discussion: """
            Removes the index and its entries, but no records. Without a unique index, several records can have the \
            same value. A program that declares the index builds it again, so change such programs first. If the store \
            has no such index, the command exits with 1.

            EXAMPLE
              profile-cli store indexes drop trips title
            """)

    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Argument(help: "The index, as `store indexes` prints it, e.g. title.")
    var index: String

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            guard try await location.removeIndex(of: collection, named: index) else {
                throw NothingSaved(message: "the collection \(collection) has no index \(index)")
            }
            session.note("removed the index \(index) of \(collection) from \(location)")
        }
    }
}
