import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The options of commands that fetch forecasts.
struct ForecastOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The URL of the weather service: https://HOST or http://HOST."))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The API of the service: tsukumijima, livedoor or open-meteo."))
    var service: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The latitude for Open-Meteo, in degrees north; required if the city has no prefecture office.",
            valueName: "degrees"))
    var latitude: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The longitude for Open-Meteo, in degrees east; required with --latitude.", valueName: "degrees"))
    var longitude: Double?

    /// Returns the coordinates in the options, or `nil` if neither option is given.
    ///
    /// - Throws: ``UsageError`` if only one of the two options is given. `ValidationError` if a coordinate is out of
    ///   range.
    func coordinates() throws -> Coordinates? {
        switch (latitude, longitude) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?): return try Coordinates(latitude: latitude, longitude: longitude)
        default: throw UsageError(message: "--latitude and --longitude must be given together")
        }
    }
}
