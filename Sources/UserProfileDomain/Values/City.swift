/// A city for which weather services publish forecasts. Show ``all`` to let a user select a city.
///
/// ```swift
/// for city in City.matching("東京") { print(city.code, city.region, city.name) }
/// ```
public struct City: Hashable, Sendable, Identifiable {
    /// The code by which weather services identify the city.
    public let code: CityCode

    /// The prefecture, or the region of Hokkaido, e.g. `東京都` or `道央`.
    public let region: String

    /// The name of the city, e.g. `札幌`.
    public let name: String

    /// The coordinates of the prefecture office, or `nil` if the city has no prefecture office.
    package let prefectureOffice: Coordinates?

    /// The code, which identifies the city.
    public var id: CityCode { code }

    /// Returns the cities that match a search string, ordered by code.
    ///
    /// - Parameter text: The beginning of a code, or any part of `REGION NAME`, e.g. `東京` or `県 下関`. The empty string
    ///   matches every city.
    /// - Returns: The matching cities.
    public static func matching(_ text: String) -> [City] {
        all.filter { $0.code.text.hasPrefix(text) || "\($0.region) \($0.name)".contains(text) }
    }
}

extension CityCode {
    /// Creates a city code from a code or from the name of a city, e.g. `130010`, `東京`, `大阪府` or `山口県 下関`.
    ///
    /// If the text is exactly the name of a city, other cities whose names contain the text are ignored. A code is
    /// accepted even if ``City/all`` does not contain it.
    ///
    /// - Parameter text: Six ASCII digits, or a text for ``City/matching(_:)`` that matches a single city.
    /// - Throws: ``ValidationError`` if a code does not have six digits, if no city matches, or if several cities
    ///   match. In the last case, the error names up to five of the cities.
    public init(codeOrName text: String) throws(ValidationError) {
        // A string that begins with a decimal digit of any script is treated as a code. So is the empty string.
        guard let first = text.unicodeScalars.first, first.properties.generalCategory != .decimalNumber else {
            try self.init(text)
            return
        }
        let whole = City.all.filter { $0.name == text }
        let found = whole.isEmpty ? City.matching(text) : whole
        guard let city = found.first else {
            throw ValidationError(
                .city, given: text,
                rule: "no city has this name; use a name or a code that `profile-cli forecast cities` lists")
        }
        guard found.count == 1 else {
            var names = found.prefix(5).map { "\($0.name) (\($0.code))" }.joined(separator: ", ")
            if found.count > 5 { names += " and others" }
            throw ValidationError(
                .city, given: text, rule: "the name matches \(found.count) cities, \(names); use a six-digit code")
        }
        self = city.code
    }
}

/// The code of a city for weather services: six ASCII digits, of which leading zeros count. `130010` is Tokyo.
///
/// ```swift
/// let city = try CityCode(codeOrName: "東京")
/// let forecast = try await storage.forecasts.forecast(city, maxAge: .seconds(3600))
/// ```
public struct CityCode: Hashable, Sendable {
    /// The six digits of the code.
    public let text: String

    /// Validates a city code.
    ///
    /// - Parameter text: Six ASCII digits.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        var reader = TextReader(text, as: .cityCode)
        reader.rest = reader.rest.drop { ("0"..."9").contains($0) }
        try reader.expectEnd("a city code must have ASCII digits only")
        guard text.utf8.count == 6 else {
            throw ValidationError(
                .cityCode, given: text, rule: "a city code must have six digits, not \(text.utf8.count)")
        }
        self.text = text
    }

    /// Creates a code without validation. The caller guarantees that the text has six ASCII digits.
    init(known text: String) { self.text = text }

    /// The city with this code, or `nil` if ``City/all`` does not contain it.
    package var city: City? { City.all.first { $0.code == self } }
}

extension CityCode: TextValue, FieldText, Comparable {
    /// Returns whether the left code sorts first. The codes are compared by their UTF-8 bytes.
    public static func < (left: CityCode, right: CityCode) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// A position on Earth, given by its latitude and longitude.
///
/// ```swift
/// let tokyo = try Coordinates(latitude: 35.69, longitude: 139.69)
/// ```
public struct Coordinates: Hashable, Sendable, CustomStringConvertible {
    /// The latitude in degrees, −90 to 90. Positive values are north of the equator.
    public let latitude: Double

    /// The longitude in degrees, −180 to 180. Positive values are east of Greenwich.
    public let longitude: Double

    /// Creates coordinates.
    ///
    /// - Parameters:
    ///   - latitude: The latitude in degrees, −90 to 90. Positive values are north of the equator.
    ///   - longitude: The longitude in degrees, −180 to 180. Positive values are east of Greenwich.
    /// - Throws: ``ValidationError`` if a value is out of range.
    public init(latitude: Double, longitude: Double) throws(ValidationError) {
        func validationError(_ rule: String) -> ValidationError {
            ValidationError(.coordinates, given: "\(latitude), \(longitude)", rule: rule)
        }
        guard (-90.0...90).contains(latitude) else { throw validationError("the latitude must be -90 to 90°") }
        guard (-180.0...180).contains(longitude) else { throw validationError("the longitude must be -180 to 180°") }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Creates coordinates from a valid latitude and longitude. Returns `nil` if the array is empty.
    init?(known degrees: [Double]) {
        guard degrees.count == 2 else { return nil }
        (latitude, longitude) = (degrees[0], degrees[1])
    }

    /// The latitude and the longitude in degrees, separated by a comma.
    public var description: String { "\(latitude), \(longitude)" }
}
