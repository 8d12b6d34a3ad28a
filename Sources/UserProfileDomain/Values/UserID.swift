/// Which user: 1 to 200 bytes of UTF-8 without control characters. Two are the same when their bytes are.
public struct UserID: Sendable {
    /// The id as text.
    public let text: String

    /// The user of a program that has only one.
    public static let me = UserID(unchecked: "me")

    /// Takes an id.
    ///
    /// - Parameter text: 1 to 200 bytes of UTF-8 without control characters.
    /// - Throws: ``ValidationError`` that says which rule the text breaks and where.
    public init(_ text: String) throws(ValidationError) {
        guard !text.isEmpty else {
            throw ValidationError(.userID, given: text, rule: "it is empty")
        }
        guard text.utf8.count <= 200 else {
            throw ValidationError(
                .userID, given: text, rule: "it has \(text.utf8.count) bytes, at most 200 are allowed")
        }
        if !text.isPrintableASCII, let index = text.unicodeScalars.firstIndex(where: \.isControl) {
            throw ValidationError(
                .userID, given: text, rule: "control characters are not allowed",
                offset: text.utf8.distance(from: text.startIndex, to: index))
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }
}

extension String {
    /// Whether all bytes are those of printable ASCII characters: most ids are, and each that is read passes here.
    fileprivate var isPrintableASCII: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        let bytes = utf8.span
        var all = true
        for index in bytes.indices { all = all && bytes[index] &- 0x20 < 0x5F }
        return all
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character: the general category Cc, which never changes, has just these.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}

extension UserID: TextValue, Comparable {
    /// Whether both have the same bytes. (`String` takes different spellings of an accented letter for equal.)
    public static func == (left: UserID, right: UserID) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// The order of a listing: by unsigned bytes.
    public static func < (left: UserID, right: UserID) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
        // Lists are sorted by it.
        let (left, right) = (left.text.utf8.span, right.text.utf8.span)
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
