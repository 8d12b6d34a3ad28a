import Testing
import UserProfileDomain

/// A text that is no such value: what is wrong with it, and where.
struct Refusal: Sendable, CustomTestStringConvertible {
    let given: String
    let fragment: String
    let offset: Int?

    /// The fragment stands somewhere in the rule; the offset is nil where the error is about the whole.
    init(_ given: String, _ fragment: String, at offset: Int?) {
        self.given = given
        self.fragment = fragment
        self.offset = offset
    }

    var testDescription: String {
        "\(given.debugDescription.prefix(60)) (\(fragment), \(offset.map(String.init) ?? "-"))"
    }

    /// Checks that reading the text fails as described.
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
