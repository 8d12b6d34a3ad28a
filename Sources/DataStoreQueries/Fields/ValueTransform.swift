package import DataStoreCore

/// A transform that computes the value of a ``QueryField`` from a stored value, e.g. the month and day of a date.
///
/// A store keeps the name and version of the transform in the definition of an index, so every program that writes
/// through the library computes the same values. The meaning of a transform never changes; a changed transform gets a
/// new version. If your program needs another transform, store the computed value in a field.
public enum ValueTransform: String, Hashable, Sendable {
    /// The mail address with its domain in ASCII lowercase. Equal mail addresses have equal results.
    case comparableMailAddress = "mailAddress.comparable@1"
    /// The domain of a mail address in ASCII lowercase. A string without `@` has no result.
    case mailAddressDomain = "mailAddress.domain@1"
    /// The month and day `MM-dd` of a date that is stored as text `yyyy-MM-dd`. Any other string has no result.
    case monthDay = "date.monthDay@1"
    /// The text with each Unicode scalar replaced by its lowercase mapping, without normalization.
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
        guard case .string(let text) = value else {
            if case .integer(let number) = value, self == .decimal {
                return DecimalText.sortable("\(number)").map { .string($0) }
            }
            return nil
        }
        switch self {
        case .comparableMailAddress:
            // Nearly all addresses are already lowercase.
            return text.hasASCIIUppercase ? .string(text.lowercasingASCII(from: text.lastAt)) : value
        case .mailAddressDomain:
            guard let at = text.lastAt else { return nil }
            return .string(String(text[text.utf8.index(after: at)...]).lowercasingASCII(from: text.startIndex))
        case .monthDay:
            return text.withBytes { bytes in
                bytes.monthDay.map { .string(String(utf8: bytes.extracting($0))) }
            }
        case .foldedText:
            return .string(text.unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping })
        case .decimal: return DecimalText.sortable(text).map { .string($0) }
        case .asciiLowercase:
            return text.hasASCIIUppercase ? .string(text.lowercasingASCII(from: text.startIndex)) : value
        }
    }

    /// Returns the range of a string's bytes that is the result of the transform, or `nil` if the result is not a part
    /// of the string or not known without creating it.
    func part(of text: Span<UInt8>) -> Range<Int>? {
        switch self {
        case .comparableMailAddress, .asciiLowercase: text.hasASCIIUppercase ? nil : text.indices
        case .monthDay: text.monthDay
        case .mailAddressDomain, .foldedText, .decimal: nil
        }
    }
}

extension String {
    /// The index of the last `@`, or `nil` if the text has none.
    fileprivate var lastAt: Index? { utf8.lastIndex(of: UInt8(ascii: "@")) }

    fileprivate var hasASCIIUppercase: Bool { withBytes { $0.hasASCIIUppercase } }

    /// Returns the text with the ASCII letters from an index on in lowercase, or the unchanged text if the index is
    /// `nil`.
    fileprivate func lowercasingASCII(from start: Index?) -> String {
        guard let start else { return self }
        let lowercased = utf8[start...].map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
        return self[..<start] + String(decoding: lowercased, as: UTF8.self)
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
