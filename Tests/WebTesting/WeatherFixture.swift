import Foundation

/// The documents of `Fixtures/weather`.
package enum WeatherFixture: String, CaseIterable {
    case livedoor = "livedoor-130010"
    case tsukumijima = "tsukumijima-270000"
    case tolerant
    case unknownCity = "error-unknown-city"
    case truncated
    case wrongKind = "wrong-kind"
    case openMeteo = "open-meteo-130010"

    /// The bytes of the file.
    package func bytes() throws -> [UInt8] {
        // The directory three levels above this file is the package.
        let package = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: package.appending(path: "Fixtures/weather/\(rawValue).json")))
    }
}
