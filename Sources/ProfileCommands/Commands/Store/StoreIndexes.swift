import ArgumentParser

/// The command `store indexes`, which contains the subcommands for indexes.
struct StoreIndexes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes",
        abstract: "List the indexes of a store, or remove one.",
        discussion: """
            Programs declare indexes for users, forecasts and other entities. Without a subcommand, the command lists \
            the indexes that all programs have declared.

            EXAMPLES
              profile-cli store indexes
              profile-cli store indexes drop trips title
            """,
        subcommands: [StoreIndexesList.self, StoreIndexesDrop.self], defaultSubcommand: StoreIndexesList.self)
}
