import ArgumentParser

/// The options of nearly every command: the store and the output format.
struct StoreOptions: ParsableArguments {
    /// The output format of results.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json

        // ArgumentParser could derive these descriptions from the cases, but this looks up many conformances at run
        // time, and nearly every command has this option.
        var defaultValueDescription: String { rawValue }
        static var allValueStrings: [String] { allCases.map { $0.rawValue } }
        static var allValueDescriptions: [String: String] { [:] }
    }

    @Option(help: "The format of results.")
    var format: Format = .text

    @OptionGroup var location: LocationOptions
}

/// The options of commands that read or change a single user.
struct UserOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The id of the user, up to 200 bytes.", valueName: "id"),
        completion: UserCompletion.kind)
    var user: String?

    @OptionGroup var store: StoreOptions
}
