/// A city that forecasts are published for.
public struct City: Hashable, Sendable, Identifiable {
    /// Its code.
    public let code: CityCode

    /// The prefecture, or the part of Hokkaido, e.g. `東京都`, `道央`.
    public let region: String

    /// Its name, e.g. `札幌`.
    public let name: String

    /// Its code.
    public var id: CityCode { code }

    /// Cities in whose code, name or region a text occurs, in the order of their codes.
    ///
    /// - Parameter text: a part of a code, a name or a region; every city has the empty one.
    /// - Returns: the cities.
    public static func matching(_ text: String) -> [City] {
        guard !text.isEmpty else { return all }
        return all.filter { city in
            city.code.text.hasPrefix(text) || city.name.contains(text) || city.region.contains(text)
                || "\(city.region) \(city.name)".contains(text)
        }
    }
}

extension CityCode {
    /// Reads a code, or the name of a city where it means just one: `東京`, `大阪府`, `山口県 下関`.
    ///
    /// A name that is a city's whole name means that city, also where it is part of another's.
    ///
    /// - Parameter text: six ASCII digits, a name, a region, or both with a space.
    /// - Throws: ``ValidationError`` where there is no such city or several, which it lists.
    public init(codeOrName text: String) throws(ValidationError) {
        // What begins with a digit of any script is meant to be a code.
        guard let first = text.unicodeScalars.first, first.properties.generalCategory != .decimalNumber else {
            try self.init(text)
            return
        }
        let whole = City.all.filter { $0.name == text }
        let found = whole.isEmpty ? City.matching(text) : whole
        guard let city = found.first else {
            throw ValidationError(
                .city, given: text,
                rule: "there is none of that name; give its code of six digits, or a name of the list")
        }
        guard found.count == 1 else {
            let names = found.prefix(5).map { "\($0.name) (\($0.code))" }.joined(separator: ", ")
            throw ValidationError(
                .city, given: text,
                rule: "it may be one of \(found.count), \(names)\(found.count > 5 ? " and others" : ""); give the code")
        }
        self = city.code
    }
}
