import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `forecast cities`, which lists known cities.
struct ForecastCities: ProgramCommand {
    /// The JSON output for a city.
    private struct Output: Encodable {
        let code: String
        let region: String
        let name: String
    }

    static let configuration = CommandConfiguration(
        commandName: "cities",
        abstract: "List the cities for which forecasts exist.",
        discussion: """
            Prints one line for each city, sorted by code: code, region, name. If no city matches, the command prints \
            nothing and exits with 1.

            EXAMPLES
              profile-cli forecast cities
              profile-cli forecast cities 沖縄
            """)

    @Argument(help: "A part of the name or the region, or the first digits of the code.")
    var search: String = ""

    @Option(help: "The format of results.")
    var format: StoreOptions.Format = .text

    @OptionGroup(title: "Common Options") var options: VerbosityOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(format: format, isVerbose: options.verbose) { session in
            let cities = City.matching(search)
            guard !cities.isEmpty else {
                throw NothingSaved(message: "no city matches \(search.excerpt(80).quoted)")
            }
            switch session.format {
            case .text:
                var table = Table()
                for city in cities { table.add([city.code.text, city.region, city.name]) }
                try Console.write(table.lines(aligned: Console.isTerminal))
            case .json:
                try Console.write(json: cities.map { Output(code: $0.code.text, region: $0.region, name: $0.name) })
            }
        }
    }
}
