import ArgumentParser
import UserProfileKit

/// The command `store salvage`, which copies the intact records of a damaged LMDB store to another store.
struct StoreSalvage: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Copy the intact records of a damaged LMDB store to another store.",
        discussion: """
            Searches all pages of the store that --store selects for records. Copies the intact records and the \
            definitions of indexes to the target, a store of any kind. The damaged store is not changed; stop the \
            programs that write to it. The target keeps its own records, so you can repeat the command.

            Prints one line for each damaged page and each lost record, and exits with 74 if there are any. Standard \
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
            try target.requireParentDirectory()
            await Interruption.install()
            let summary = try await location.salvage(into: target)
            try Console.write(summary.losses.map(Console.printable))
            Console.error("copied \(Int64(summary.savedCount).counted("record")) from \(location) to \(target)")
            if !summary.losses.isEmpty { throw ExitCode.inputOutput }
        }
    }
}
