import ArgumentParser

/// `store`
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Look at a store, check it, back it up, and copy it.",
        discussion: """
            The store is the one that all commands use, or that of --store.

            EXAMPLES
              profile-cli store info
              profile-cli store backup /backups/profiles
            """,
        subcommands: [StoreInfoCommand.self, StoreCheck.self, StoreBackup.self, StoreCopy.self])
}
