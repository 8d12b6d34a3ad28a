import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `forecast fetch`
struct ForecastFetch: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch the weather of cities from a weather service and save it.",
        discussion: """
            Replaces what was saved for each city. A city that the service does not know has no weather afterwards, \
            and the command ends with 1; after every other failure what was saved stays: 69 where the service does not \
            answer, 65 where its answer cannot be read. Of several cities each is for itself, and the exit code is \
            that of the first that failed.

            EXAMPLES
              profile-cli forecast fetch 130010
              profile-cli forecast fetch 東京 大阪
              profile-cli forecast fetch --all
            """)

    @Argument(help: "The cities: six digits or a name each.")
    var cities: [String] = []

    @Flag(help: "All cities of `forecast cities`.")
    var all = false

    @OptionGroup var forecast: ForecastOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if cities.isEmpty != all { throw ArgumentParser.ValidationError("give cities, or --all") }
    }

    func run(in program: ProfileProgram) async throws {
        try await program.run(options, forecast) { session in
            try program.requireSource()
            let codes = try all ? City.all.map(\.code) : cities.map { try CityCode(codeOrName: $0) }
            if codes.count > 1, forecast.latitude != nil {
                throw UsageError(message: "--latitude and --longitude are of one city")
            }
            try await session.withStorage(saving: true) { storage in
                if codes.count == 1 {
                    let weather = try await storage.forecasts.refresh(codes[0])
                    session.note("fetched \(weather.forecasts.count) days for \(weather.id), \(weather.title)")
                } else {
                    try await fetch(codes, from: storage, session)
                }
            }
        }
    }

    private func fetch(_ codes: [CityCode], from storage: UserProfileStorage, _ session: Session) async throws {
        let line = ProgressLine()
        let outcomes = try await storage.forecasts.refresh(codes) { doneCount, cityCount in
            line.show("profile-cli: \(doneCount) of \(cityCount) cities")
        }
        let failures = codes.compactMap { code -> (any Error)? in
            if case .failure(let error)? = outcomes[code] { error } else { nil }
        }
        line.end("profile-cli: fetched \(outcomes.count - failures.count) of \(outcomes.count) cities")
        let exitCodes = failures.map(session.reportError)
        if let code = exitCodes.first { throw code }
    }
}
