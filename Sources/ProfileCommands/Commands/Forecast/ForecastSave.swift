import ArgumentParser
import ForecastAPI
import UserProfileDomain
import UserProfileKit

/// The command `forecast save`, which saves a weather document from a file.
struct ForecastSave: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save the weather of a city from a JSON document.",
        discussion: """
            Reads the JSON of the livedoor weather service (v1) or of weather.tsukumijima.net, or the output of \
            `forecast show --format json`, which contains the city. A day that cannot be read is left out with a \
            warning. If the document is invalid otherwise, the message names the invalid member, and nothing is changed.

            EXAMPLES
              profile-cli forecast save weather.json --city 130010
              curl -s "$URL" | profile-cli forecast save --city 130010
              profile-cli forecast show 130010 --format json | profile-cli forecast save - --store plist:copy.plist
            """)

    @Argument(help: "The document; - is standard input.")
    var file: String = "-"

    @Option(
        help: "The city of the document: a six-digit code or a name; required if the document does not contain it.",
        completion: CityCompletion.kind)
    var city: String?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let requested = try city.map { text throws(UserProfileDomain.ValidationError) in
                try CityCode(codeOrName: text)
            }
            let document = try InputFile.weather(file).read()
            guard let city = try requested ?? LivedoorDecoder.city(of: document) else {
                throw UsageError(message: "the document does not contain its city; pass --city")
            }
            try await session.withStorage(saving: true) { storage in
                let weather = try await storage.forecasts.save(document: document, for: city) {
                    Console.warn($0, city)
                }
                session.note("saved \(weather.forecasts.count) days for \(city), \(weather.title)")
            }
        }
    }
}
