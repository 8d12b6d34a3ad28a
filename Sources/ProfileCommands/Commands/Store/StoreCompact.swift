import ArgumentParser
import UserProfileKit

/// The command `store compact`, which removes deleted values from a store.
struct StoreCompact: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Rewrite a store without deleted values.",
        discussion: """
            An LMDB store keeps deleted and replaced values in free pages until later saves reuse them. This command \
            replaces the data file with a verified copy without free pages. Close all other programs that use the \
            store first; otherwise the command exits with 75 and changes nothing. If the command is killed, the store \
            has either the old or the new file. The disk blocks of the old file are not overwritten.

            A property list does not change, because each save writes the whole file without deleted values.

            EXAMPLE
              profile-cli delete --user vision --yes && profile-cli store compact
            """)

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            try await location.compact()
            session.note("compacted \(location)")
        }
    }
}
