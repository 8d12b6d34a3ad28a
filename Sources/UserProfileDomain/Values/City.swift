/// A city for which weather services publish forecasts. Show ``all`` to let a user select a city.
public struct City: Hashable, Sendable, Identifiable {
    /// The code by which weather services identify the city.
    public let code: CityCode

    /// The prefecture, or the region of Hokkaido, e.g. `東京都` or `道央`.
    public let region: String

    /// The name of the city, e.g. `札幌`.
    public let name: String

    /// The code, which identifies the city.
    public var id: CityCode { code }

    /// Returns the cities that match a search string, ordered by code.
    ///
    /// - Parameter text: The beginning of a code, or any part of `REGION NAME`, e.g. `東京` or `県 下関`. The empty string
    ///   matches every city.
    /// - Returns: The matching cities.
    public static func matching(_ text: String) -> [City] {
        guard !text.isEmpty else { return all }
        return all.filter { city in
            city.code.text.hasPrefix(text) || city.name.contains(text) || city.region.contains(text)
                || "\(city.region) \(city.name)".contains(text)
        }
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
