import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `forecast show`
struct ForecastShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the saved weather of a city.",
        discussion: """
            On a terminal: title, days with temperatures and a chart of lows and highs, and the description. Elsewhere: a \
            line for each day with tabs between date, label, weather, lowest and highest temperature in °C, and picture. \
            Where nothing is saved for the city, it prints nothing and ends with 1.

            EXAMPLE
              profile-cli forecast show 130010
            """)

    @Argument(help: "The city: six digits.")
    var city: String

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Session.run(options) { session in
            let city = try CityCode(city)
            guard let weather = try await session.withStorage({ try await $0.forecasts.weather(of: city) }) else {
                throw NothingSaved(message: "no weather is saved for \(city)")
            }
            switch session.format {
            case .text:
                let page = WeatherPage(weather: weather)
                try Console.write(Console.isTerminal ? page.lines() : page.plainLines())
            case .json: try Console.write(json: WeatherOutput(weather))
            }
        }
    }
}
