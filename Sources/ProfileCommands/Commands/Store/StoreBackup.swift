import ArgumentParser
import UserProfileKit

/// `store backup`
struct StoreBackup: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a store to a new place while it is in use.",
        discussion: """
            The copy is the store as it was at one moment: of an LMDB store a directory, without free pages; of a \
            property list the file, byte for byte. It can be used as a store, gets its name when it is whole, and is \
            durable when this ends. A damaged store is not copied. Where there is something at the path, it ends with \
            73.

            EXAMPLE
              profile-cli store backup /backups/profiles-2026-11-21
            """)

    @Argument(help: "The directory or file that is made.", completion: .directory)
    var path: String

    @OptionGroup var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            try await location.backUp(to: path)
            session.note("backed up \(location) to \(path)")
        }
    }
}
