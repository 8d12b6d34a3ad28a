import ArgumentParser
import UserProfileKit

/// The options that select the store, without the one that selects the user.
struct LocationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where everything is kept: lmdb:PATH, plist:PATH or memory:.",
            discussion: "Default: \(ConfigurationKey.store.sources), then lmdb:$XDG_DATA_HOME/profile-cli."))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "What the program runs for: development, staging or production, each with a store of its own.",
            discussion: "Default: \(ConfigurationKey.environment.sources), then production."))
    var environment: String?

    @Flag(help: "Say on standard error what is done, and the causes of a failure.")
    var verbose = false
}
