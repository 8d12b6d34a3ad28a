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
        abstract: "List the cities that have forecasts.",
        discussion: """
            Prints a line for each city in the order of their codes: code, region, name. If no city is found, the \
            command prints nothing and ends with 1.

            EXAMPLES
              profile-cli forecast cities
              profile-cli forecast cities 沖縄
            """)

    @Argument(help: "Text in the name or region of the city, or the beginning of its code.")
    var search: String = ""

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
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
