import ArgumentParser
import UserProfileKit

/// The options of nearly every command.
struct StoreOptions: ParsableArguments {
    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json

        // These are declared because every command has this option, and ArgumentParser's derivation from the cases
        // looks up many conformances at run time.
        var defaultValueDescription: String { rawValue }
        static var allValueStrings: [String] { allCases.map { $0.rawValue } }
        static var allValueDescriptions: [String: String] { [:] }
    }

    @Option(
        help: ArgumentHelp(
            "Whose profile: up to 200 bytes of text.",
            discussion: "Default: \(ConfigurationKey.user.sources), then me.",
            valueName: "id"),
        completion: UserCompletion.kind)
    var user: String?

    @Option(help: "How results are written.")
    var format: Format = .text

    @OptionGroup var location: LocationOptions
}
