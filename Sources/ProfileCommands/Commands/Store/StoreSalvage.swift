import ArgumentParser
import UserProfileKit

/// The command `store salvage`, which copies the intact records of a damaged LMDB store to another store.
struct StoreSalvage: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Copy the intact records of a damaged LMDB store to another store.",
        discussion: """
            Searches all pages of --store for records, and copies those that are intact, with the definitions of \
            indexes, to the target of any kind. The damaged store is not changed; stop the programs that write to it. \
            The target keeps its own records, so the command can be repeated.

            Prints a line for each damaged page and lost record. If there is one, the command ends with 74. Standard \
            error reports the number of copied records.

            EXAMPLE
              profile-cli store salvage lmdb:new --store lmdb:damaged
            """)

    @Argument(help: "The target: lmdb:PATH or plist:PATH.", completion: StoreCompletion.kind)
    var target: String

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            let target = try StorageLocation(target, kinds: program.stores)
            await Interruption.install()
            let summary = try await location.salvage(into: target)
            try Console.write(summary.losses.map(Console.printable))
            Console.error("copied \(Int64(summary.savedCount).counted("record")) from \(location) to \(target)")
            if !summary.losses.isEmpty { throw ExitCode.inputOutput }
        }
    }
}
