import ArgumentParser

/// The options that select the store, for commands that do not require a user.
struct LocationOptions: ParsableArguments {
    @Option(help: "The store: lmdb:PATH, plist:PATH, postgres://… or memory:.", completion: StoreCompletion.kind)
    var store: String?

    @Option(
        help: "The environment: development, staging or production; each has its own store.",
        completion: .list(["development", "staging", "production"]))
    var environment: String?

    @OptionGroup var verbosity: VerbosityOptions
}
