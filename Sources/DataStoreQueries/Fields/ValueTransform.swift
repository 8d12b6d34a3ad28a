/// A transform that computes the value of a ``QueryField`` from a stored value, e.g. the month and day of a date.
///
/// ```swift
/// let index = IndexDefinition.on("birthday", transform: .monthDay)
/// ```
///
/// A store keeps the name and version of the transform in the definition of an index, so every program that writes
/// through the library computes the same values. The meaning of a transform never changes; a changed transform gets a
/// new version. If your program needs another transform, store the computed value in a field.
public enum ValueTransform: String, Hashable, Sendable {
    /// The month and day `MM-dd` of a date that is stored as text `yyyy-MM-dd`. Any other string has no result.
    case monthDay = "date.monthDay@1"
    /// The full case folding of the text, without normalization. An index of it answers conditions that ignore case.
    case foldedText = "text.folded@1"
    /// The text with each ASCII letter in lowercase.
    case asciiLowercase = "text.asciiLowercase@1"
    /// A sortable text for a decimal number that is stored as an integer or as text, e.g. `-12.50` or `1e-07`. The text
    /// of a greater number comes later. A query that meets another value fails, and an index rejects it.
    case decimal = "number.decimal@1"

    /// Transforms a value.
    ///
    /// - Parameter value: The stored value.
    /// - Returns: The transformed value, or `nil` if the value has no result, e.g. because it is not a string.
    package func callAsFunction(_ value: Value) -> Value? {
        switch (self, value) {
        case (.monthDay, .string(let text)):
            text.withBytes { bytes in bytes.monthDay.map { .string(String(decoding: bytes.extracting($0))) } }
        case (.foldedText, .string(let text)): .string(text.caseFolded)
        case (.asciiLowercase, .string(let text)):
            text.withBytes { $0.hasASCIIUppercase } ? .string(text.asciiLowercased) : value
        case (.decimal, .string(let text)): text.sortableDecimal.map(Value.string)
        case (.decimal, .integer(let number)): "\(number)".sortableDecimal.map(Value.string)
        default: nil
        }
    }

    /// Returns the range of a string's bytes that is the result of the transform, or `nil` if the result is not a part
    /// of the string or not known without creating it.
    func part(of text: Span<UInt8>) -> Range<Int>? {
        switch self {
        case .asciiLowercase: text.hasASCIIUppercase ? nil : text.indices
        case .monthDay: text.monthDay
        case .foldedText, .decimal: nil
        }
    }
}

extension String {
    /// The text with its ASCII letters in lowercase.
    fileprivate var asciiLowercased: String {
        String(decoding: utf8.lazy.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension Span<UInt8> {
    fileprivate var hasASCIIUppercase: Bool {
        // A loop without an early exit is vectorized.
        var found: UInt8 = 0
        for index in indices { found |= self[index] &- UInt8(ascii: "A") < 26 ? 1 : 0 }
        return found == 1
    }

    /// The range of the last five bytes of a string of the form `yyyy-MM-dd`, or `nil` for any other string.
    fileprivate var monthDay: Range<Int>? {
        guard count == 10, self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-") else { return nil }
        return 5..<10
    }
}
