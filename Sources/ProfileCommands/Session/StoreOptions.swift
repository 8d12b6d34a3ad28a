import ArgumentParser
import UserProfileKit

/// Options of nearly every command.
struct StoreOptions: ParsableArguments {
    /// How results are written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json

        // Every command has this option. What the library would derive of the cases asks the runtime for many
        // conformances.
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

    @OptionGroup var place: PlaceOptions
}
