import ArgumentParser
import UserProfileKit

/// The command `store copy`, which copies all records to another store.
struct StoreCopy: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a store to another store of any kind.",
        discussion: """
            Copies one snapshot of all records of all collections, and verifies the copy before the commit. Also \
            copies the definitions of all indexes, so that unique fields stay unique. Other programs see either the \
            whole copy or nothing of it: a failure, Ctrl-C or kill -9 leaves the target unchanged. If the target has \
            records, the command exits with 73. With --replace, its records and indexes are removed in the same \
            transaction.

            EXAMPLES
              profile-cli store copy lmdb:profiles plist:profiles.plist
              profile-cli store copy plist:profiles.plist lmdb:profiles --replace
            """)

    @Argument(help: "The store to copy: lmdb:PATH, plist:PATH or postgres://…", completion: StoreCompletion.kind)
    var from: String

    @Argument(help: "The target: lmdb:PATH, plist:PATH or postgres://…", completion: StoreCompletion.kind)
    var to: String

    @Flag(help: "Replace the contents of the target.")
    var replace = false

    @OptionGroup(title: "Common Options") var options: VerbosityOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(isVerbose: options.verbose) { _ in
            let source = try StorageLocation(from, kinds: program.stores)
            let target = try StorageLocation(to, kinds: program.stores)
            try target.requireParentDirectory()
            await Interruption.install()
            let line = ProgressLine()
            defer { line.clear() }
            let count = try await source.copy(to: target, replacing: replace) { count in
                line.show("profile-cli: \(Int64(count).counted("record"))")
            }
            line.end("profile-cli: copied and verified \(Int64(count).counted("record"))")
        }
    }
}
