import ArgumentParser

/// `store`
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Inspect, check, back up, compact and copy a store.",
        discussion: """
            The store is the one that all commands use, or the one that --store names.

            EXAMPLES
              profile-cli store info
              profile-cli store backup /backups/profiles
            """,
        subcommands: [
            StoreInfoCommand.self, StoreIndexes.self, StoreCheck.self, StoreBackup.self, StoreCompact.self,
            StoreCopy.self,
        ])
}
