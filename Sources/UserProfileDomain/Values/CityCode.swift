/// Which city a forecast is for: six ASCII digits, a leading zero counts. `130010` is Tokyo.
public struct CityCode: Hashable, Sendable {
    /// The six digits.
    public let text: String

    /// Takes a code.
    ///
    /// - Parameter text: six ASCII digits.
    /// - Throws: ``ValidationError`` that says which rule the text breaks and where.
    public init(_ text: String) throws(ValidationError) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        if let index = text.utf8.firstIndex(where: { !digits.contains($0) }) {
            throw ValidationError(
                .cityCode, given: text, rule: "a city code has ASCII digits only",
                offset: text.utf8.distance(from: text.startIndex, to: index))
        }
        guard text.utf8.count == 6 else {
            throw ValidationError(
                .cityCode, given: text, rule: "a city code has six digits, this has \(text.utf8.count)")
        }
        self.text = text
    }

    /// Takes a code of the list, which is known to be one.
    init(known text: String) { self.text = text }
}

extension CityCode: TextValue, Comparable {
    /// The order of a listing.
    public static func < (left: CityCode, right: CityCode) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
