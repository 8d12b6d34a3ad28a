/// A temperature in degrees Celsius, at or above absolute zero.
///
/// ```swift
/// let low = try Temperature(celsius: -1.5)
/// print(low, low.fahrenheit)      // -1.5 °C 29.3
/// ```
public struct Temperature: Hashable, Sendable {
    /// The temperature in degrees Celsius.
    public let celsius: Double

    /// The temperature in degrees Fahrenheit, computed from degrees Celsius.
    public var fahrenheit: Double { (celsius * 9 + 160) / 5 }

    /// Creates a temperature.
    ///
    /// - Parameter celsius: The temperature in degrees Celsius, at least absolute zero (−273.15).
    /// - Throws: ``ValidationError`` if the number is not finite or is below absolute zero.
    public init(celsius: Double) throws(ValidationError) { try self.init(celsius: celsius, given: "\(celsius)") }

    /// Parses a temperature.
    ///
    /// - Parameter text: The temperature in degrees Celsius as an ASCII decimal number, e.g. `6` or `-1.5`.
    /// - Throws: ``ValidationError`` if the text is not such a number, or the temperature is below absolute zero.
    package init(celsius text: String) throws(ValidationError) {
        // `Double(_:)` also accepts "0x1p3", "inf" and "nan". The character set excludes them.
        guard text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }), let celsius = Double(text) else {
            throw ValidationError(.temperature, given: text, rule: "expected a decimal number like 6 or -1.5")
        }
        try self.init(celsius: celsius, given: text)
    }

    private init(celsius: Double, given: String) throws(ValidationError) {
        guard celsius.isFinite else {
            throw ValidationError(.temperature, given: given, rule: "it is not a finite number")
        }
        guard celsius >= -273.15 else {
            throw ValidationError(.temperature, given: given, rule: "it is below absolute zero, -273.15 °C")
        }
        // Negative zero becomes zero, so that equal temperatures have equal stored bytes.
        self.celsius = celsius == 0 ? 0 : celsius
    }
}

extension Temperature: Comparable, CustomStringConvertible {
    /// Returns whether the left temperature is lower.
    public static func < (left: Temperature, right: Temperature) -> Bool { left.celsius < right.celsius }

    /// The temperature with its unit, e.g. `6 °C` or `-1.5 °C`. A whole number has no fraction.
    public var description: String {
        let isWhole = celsius == celsius.rounded() && abs(celsius) < 1e15
        return "\(isWhole ? String(Int64(celsius)) : String(celsius)) °C"
    }
}

extension Temperature: Codable {
    /// Decodes a number of degrees Celsius. Throws ``ValidationError`` if the number is not finite or is below absolute
    /// zero.
    public init(from decoder: any Decoder) throws { try self.init(celsius: Double(from: decoder)) }

    /// Encodes the temperature as a number of degrees Celsius.
    public func encode(to encoder: any Encoder) throws { try celsius.encode(to: encoder) }
}
