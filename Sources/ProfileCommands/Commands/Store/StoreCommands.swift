import ArgumentParser

/// The command `store`, which contains the subcommands for stores.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Inspect, check, back up, repair, compact, copy and migrate a store.",
        discussion: """
            The commands use the same store as all others; --store selects another one.

            EXAMPLES
              profile-cli store info
              profile-cli store backup /backups/profiles
            """,
        subcommands: [
            StoreInfoCommand.self, StoreIndexes.self, StoreCheck.self, StoreBackup.self, StoreCompact.self,
            StoreCopy.self, StoreMigrate.self, StoreSalvage.self, StoreRecover.self,
        ])
}
