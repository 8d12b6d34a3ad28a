/// The code by which weather services identify a city: six ASCII digits, including leading zeros. `130010` is Tokyo.
public struct CityCode: Hashable, Sendable {
    /// The six digits of the code.
    public let text: String

    /// Validates a city code.
    ///
    /// - Parameter text: Six ASCII digits.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        if let index = text.utf8.firstIndex(where: { !digits.contains($0) }) {
            throw ValidationError(
                .cityCode, given: text, rule: "a city code must have ASCII digits only",
                offset: text.utf8.distance(from: text.startIndex, to: index))
        }
        guard text.utf8.count == 6 else {
            throw ValidationError(
                .cityCode, given: text, rule: "a city code must have six digits, not \(text.utf8.count)")
        }
        self.text = text
    }

    /// Creates a code without validation. The caller guarantees that the text has six ASCII digits.
    init(known text: String) { self.text = text }
}

extension CityCode: TextValue, Comparable {
    /// Returns whether the left code sorts first. The codes are compared by their UTF-8 bytes.
    public static func < (left: CityCode, right: CityCode) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
