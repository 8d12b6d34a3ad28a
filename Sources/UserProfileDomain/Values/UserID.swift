/// The id of a user: 1 to 200 bytes of UTF-8 without control characters. Two ids are equal if their bytes are equal.
public struct UserID: Sendable {
    /// The text of the id.
    public let text: String

    /// The id of the only user in a program with a single user.
    public static let me = UserID(unchecked: "me")

    /// Validates a user id.
    ///
    /// - Parameter text: 1 to 200 bytes of UTF-8 without control characters.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
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
    /// Whether all bytes are printable ASCII characters. If so, the text contains no control characters, and a slower
    /// search for them is not necessary.
    @inline(__always)
    fileprivate var isPrintableASCII: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        let bytes = utf8.span
        // The first printable character becomes 0, and every byte that is not printable becomes at least 0x5F. A loop
        // without an early exit is faster.
        var greatest: UInt8 = 0
        for index in bytes.indices { greatest = max(greatest, bytes[index] &- 0x20) }
        return greatest < 0x5F
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, i.e. has the general category Cc.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}

extension UserID: TextValue, Comparable {
    /// Returns whether two ids have the same bytes. In contrast, `String` also treats canonically equivalent strings as
    /// equal.
    public static func == (left: UserID, right: UserID) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Returns whether the left id sorts before the right one. Ids are compared by their UTF-8 bytes. Lists of users
    /// have this order.
    public static func < (left: UserID, right: UserID) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
        // Sorting a list calls this function for each comparison, so it avoids the slower generic algorithm.
        let (left, right) = (left.text.utf8.span, right.text.utf8.span)
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }

    /// Hashes the bytes of the id, consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
