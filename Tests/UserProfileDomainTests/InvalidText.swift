import Testing
import UserProfileDomain

/// An invalid text, with the expected reason and position.
struct InvalidText: Sendable, CustomTestStringConvertible {
    let given: String
    let fragment: String
    let offset: Int?

    /// - Parameters:
    ///   - given: The text.
    ///   - fragment: A part of the violated rule.
    ///   - offset: The position of the error, or `nil` if it concerns the whole text.
    init(_ given: String, _ fragment: String, at offset: Int?) {
        self.given = given
        self.fragment = fragment
        self.offset = offset
    }

    var testDescription: String {
        "\(given.debugDescription.prefix(60)) (\(fragment), \(offset.map(String.init) ?? "-"))"
    }

    /// Checks that parsing the text fails as described.
    func check<Value>(
        _ subject: ValidationError.Subject, sourceLocation: SourceLocation = #_sourceLocation,
        _ read: (String) throws -> Value
    ) throws {
        let error = try #require(throws: ValidationError.self, sourceLocation: sourceLocation) { try read(given) }
        #expect(error.subject == subject, sourceLocation: sourceLocation)
        #expect(error.rule.contains(fragment), sourceLocation: sourceLocation)
        #expect(error.offset == offset, sourceLocation: sourceLocation)
        #expect(error.path == nil, sourceLocation: sourceLocation)
    }
}
