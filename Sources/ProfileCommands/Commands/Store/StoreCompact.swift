import ArgumentParser
import UserProfileKit

/// The command `store compact`, which removes deleted values from a store.
struct StoreCompact: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Rewrite a store without deleted values.",
        discussion: """
            An LMDB store keeps deleted and replaced values in free pages until later saves reuse them. This command \
            replaces its data file by a checked copy without free pages. Close other programs that use the store \
            first, or the command ends with 75 and changes nothing. A kill leaves the old file or the new one. The \
            blocks of the old file are not overwritten on the disk.

            A property list does not change: each save writes the whole file, without deleted values.

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
