import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// Options of commands that fetch forecasts.
struct ForecastOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the weather service is: https://HOST, or http://HOST where that is wanted.",
            discussion: "Default: \(ConfigurationKey.forecastURL.sources)."))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "What it speaks: tsukumijima, livedoor or open-meteo.",
            discussion: "Default: \(ConfigurationKey.forecastService.sources)."))
    var service: String?

    @Option(
        help: ArgumentHelp(
            "The place to ask Open-Meteo for, in degrees north, where the city has no prefecture office.",
            valueName: "degrees"))
    var latitude: Double?

    @Option(help: ArgumentHelp("The same, in degrees east.", valueName: "degrees"))
    var longitude: Double?

    /// Returns the coordinates, or `nil` if the ones of the city are to be used.
    func coordinates() throws -> Coordinates? {
        switch (latitude, longitude) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?): return try Coordinates(latitude: latitude, longitude: longitude)
        default: throw UsageError(message: "--latitude and --longitude are given together")
        }
    }
}
