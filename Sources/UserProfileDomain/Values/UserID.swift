/// The id of a user. Use ``me`` in a program with one user, and an id of your own, e.g. an account name, otherwise.
///
/// ```swift
/// let id = try UserID("vision")
/// try await storage.profiles.saveMailAddress(MailAddress("vision@example.com"), of: id)
/// ```
///
/// It has 1 to 200 bytes of UTF-8, and two ids are equal if their bytes are. It contains no control characters,
/// bidirectional controls, zero-width spaces (U+200B) or byte order marks (U+FEFF), and no white space at either end.
/// Joiners, which scripts and emoji need, are allowed.
public struct UserID: Sendable {
    /// The text of the id.
    public let text: String

    /// The id of the only user in a program with a single user.
    public static let me = UserID(unchecked: "me")

    /// Validates the id of a new user.
    ///
    /// - Parameter text: The text of the id.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        try self.init(stored: text)
        let scalars = text.unicodeScalars
        if scalars.first?.properties.isWhitespace == true {
            throw text.idError("white space is not allowed at the start", at: text.startIndex)
        }
        if let last = scalars.indices.last, scalars[last].properties.isWhitespace {
            throw text.idError("white space is not allowed at the end", at: last)
        }
        if let index = scalars.firstIndex(where: \.isInvisible) {
            throw text.idError("the invisible character \(String(scalars[index]).quoted) is not allowed", at: index)
        }
    }

    /// Creates the id of a user that a store may already contain.
    ///
    /// An older version accepted white space at the ends and invisible characters. Use this initializer to find or
    /// delete such a user.
    ///
    /// - Parameter text: 1 to 200 bytes of UTF-8 without control characters.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(stored text: String) throws(ValidationError) {
        guard !text.isEmpty else { throw text.idError("it is empty") }
        let byteCount = text.utf8.count
        guard byteCount <= 200 else { throw text.idError("it has \(byteCount) bytes, at most 200 are allowed") }
        if !text.isPrintableASCII, let index = text.unicodeScalars.firstIndex(where: \.isControl) {
            throw text.idError("control characters are not allowed", at: index)
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

    /// Returns the error of a text that is no id.
    fileprivate func idError(_ rule: String, at index: Index? = nil) -> ValidationError {
        ValidationError(.userID, given: self, rule: rule, offset: index.map { utf8.distance(from: startIndex, to: $0) })
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character, i.e. has the general category Cc.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }

    /// Whether the scalar is a zero-width space, a byte order mark or a bidirectional control. Two ids that differ only
    /// in such a scalar look alike.
    fileprivate var isInvisible: Bool { self == "\u{200B}" || self == "\u{FEFF}" || properties.isBidiControl }
}

extension UserID: TextValue, FieldText, Comparable {
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
