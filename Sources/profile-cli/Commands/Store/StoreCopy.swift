import ArgumentParser
import UserProfileKit

/// `store copy`
struct StoreCopy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy everything of a store to another one, of any kind.",
        discussion: """
            Copies all records of all collections, as they are at one moment, and reads them back to compare. Others see all of it \
            in the other store or nothing: a failure, Ctrl-C or kill -9 leaves it as it was. It must be empty, or else the \
            command ends with 73; with --replace what it has goes at the same moment.

            EXAMPLES
              profile-cli store copy lmdb:profiles plist:profiles.plist
              profile-cli store copy plist:profiles.plist lmdb:profiles --replace
            """)

    @Argument(help: "The store to copy: lmdb:PATH or plist:PATH.")
    var from: String

    @Argument(help: "The store to copy it to: lmdb:PATH or plist:PATH.")
    var to: String

    @Flag(help: "Replace what the other store has.")
    var replace = false

    @Flag(help: "Say on standard error what is done, and the causes of a failure.")
    var verbose = false

    func run() async throws {
        try await Session.run(isVerbose: verbose) { _ in
            let source = try StorageLocation(from, kinds: ProfileCLI.storeKinds)
            let target = try StorageLocation(to, kinds: ProfileCLI.storeKinds)
            await Interruption.arm()
            let line = ProgressLine()
            defer { line.clear() }
            let count = try await source.copy(to: target, replacing: replace) { count in
                line.show("profile-cli: \(Int64(count).counted("record"))")
            }
            line.end("profile-cli: copied \(Int64(count).counted("record")) and compared them")
        }
    }
}
