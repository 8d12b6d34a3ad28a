import ArgumentParser
import UserProfileKit

/// The command `store recover`, which replaces a damaged property list with a file of its intact records.
struct StoreRecover: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Restore a damaged property list from its intact parts.",
        discussion: """
            Replaces the property list with a file that contains its intact records and the intact entries of other \
            programs. The damaged file is kept in the same directory as NAME.damaged-1, or with the next free number. \
            An intact file is not changed.

            Prints one line for each damaged part. If records or entries are lost, the command exits with 74. Standard \
            error reports the number of records in the file. For an LMDB store, use `store salvage`.

            EXAMPLE
              profile-cli store recover --store plist:profiles.plist
            """)

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            let summary = try await location.recover()
            try Console.write(summary.losses.map(Console.printable))
            let count = Int64(summary.savedCount).counted("record")
            if let file = summary.damagedFile {
                Console.error("recovered \(location) with \(count); the damaged file is kept at \(file)")
            } else {
                Console.error("\(location) is not damaged: \(count)")
            }
            if !summary.losses.isEmpty { throw ExitCode.inputOutput }
        }
    }
}
