import ArgumentParser

/// Options of every command.
struct StoreOptions: ParsableArguments {
    /// How results are written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Option(
        help: ArgumentHelp(
            "Where everything is kept: lmdb:PATH, plist:PATH or memory:.",
            discussion: "Default: $PROFILE_STORE, then config.json, then lmdb:$XDG_DATA_HOME/profile-cli."))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "Whose profile: up to 200 bytes of text.", discussion: "Default: $PROFILE_USER, then config.json, then me.",
            valueName: "id"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "What the program runs for: development, staging or production, each with a store of its own.",
            discussion: "Default: $PROFILE_ENVIRONMENT, then config.json, then production."))
    var environment: String?

    @Option(help: "How results are written.")
    var format: Format = .text

    @Flag(help: "Say on standard error what is done, and the causes of a failure.")
    var verbose = false
}
