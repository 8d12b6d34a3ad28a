import ArgumentParser
import UserProfileKit

/// The command `store recover`, which replaces a damaged property list by a file with its intact records.
struct StoreRecover: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Restore a damaged property list from its intact parts.",
        discussion: """
            Replaces the file of --store by one with its intact records and entries of other programs. The damaged \
            file is kept beside it as NAME.damaged-1 or the next free number. An intact file is not changed.

            Prints a line for each damaged part. If something is lost, the command ends with 74. Standard error \
            reports the number of records in the file. An LMDB store is salvaged by `store salvage`.

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
                Console.error("\(location) has \(count); the damaged file is kept at \(file)")
            } else {
                Console.error("\(location) is not damaged: \(count)")
            }
            if !summary.losses.isEmpty { throw ExitCode.inputOutput }
        }
    }
}
