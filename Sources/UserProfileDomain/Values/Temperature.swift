/// A temperature, held in degrees Celsius.
public struct Temperature: Hashable, Sendable {
    /// Degrees Celsius.
    public let celsius: Double

    /// Degrees Fahrenheit, computed.
    public var fahrenheit: Double { (celsius * 9 + 160) / 5 }

    /// Takes a temperature.
    ///
    /// - Parameter celsius: degrees Celsius, a finite number not below absolute zero (−273.15).
    /// - Throws: ``ValidationError`` where there is no such temperature.
    public init(celsius: Double) throws(ValidationError) {
        try self.init(celsius: celsius, given: "\(celsius)")
    }

    /// Reads a temperature from text.
    ///
    /// - Parameter text: degrees Celsius as an ASCII decimal number, e.g. `6`, `-1.5`.
    /// - Throws: ``ValidationError`` where the text is no such number.
    package init(celsius text: String) throws(ValidationError) {
        // Double(_:) also takes "0x1p3", "inf" and "nan"; a decimal number has none of those letters.
        guard text.utf8.allSatisfy({ Temperature.characters.contains($0) }), let celsius = Double(text) else {
            throw ValidationError(.temperature, given: text, rule: "degrees are a decimal number like 6 or -1.5")
        }
        try self.init(celsius: celsius, given: text)
    }

    private static let characters = Array("+-.0123456789".utf8)

    private init(celsius: Double, given: String) throws(ValidationError) {
        guard celsius.isFinite else {
            throw ValidationError(.temperature, given: given, rule: "it is not a finite number")
        }
        guard celsius >= -273.15 else {
            throw ValidationError(.temperature, given: given, rule: "it is below absolute zero, -273.15 °C")
        }
        // Zero has one sign, so that equal temperatures are stored alike.
        self.celsius = celsius == 0 ? 0 : celsius
    }
}

extension Temperature: Comparable, CustomStringConvertible {
    /// Whether the left one is colder.
    public static func < (left: Temperature, right: Temperature) -> Bool { left.celsius < right.celsius }

    /// Degrees Celsius with the unit, without a fraction where it has none: `6 °C`, `-1.5 °C`.
    public var description: String {
        let isWhole = celsius == celsius.rounded() && abs(celsius) < 1e15
        return "\(isWhole ? String(Int64(celsius)) : String(celsius)) °C"
    }
}
