import Hummingbird
import UserProfileKit

/// A parser for the parameter `filter`.
///
/// ```
/// filter = ("and" / "or") "(" filter *("," filter) ")" / "not(" filter ")" / "exists(" field ")"
///        / ("eq" / "ne" / "lt" / "le" / "gt" / "ge") "(" field "," value ")"
///        / "in(" field *("," value) ")" / "between(" field "," value "," value ")"
///        / ("begins" / "contains" / "ibegins" / "icontains") "(" field "," value ")"
/// value  = "'" text "'"        ; a quote in the text is doubled
/// ```
///
/// `ibegins` and `icontains` ignore the case of ASCII letters.
struct FilterParser {
    /// The maximum number of conditions. It bounds the recursion here and in the library.
    private static let maximumCount = 500

    // Unicode scalars, because a quote and a combining character after it are a single `Character`.
    private var rest: Substring.UnicodeScalarView
    private var count = 0

    private init(_ text: String) { rest = text[...].unicodeScalars }

    /// Parses a filter.
    static func filter(_ text: String) throws -> Filter<User> {
        var parser = FilterParser(text)
        let filter = try parser.filter()
        guard parser.rest.isEmpty else { throw parser.unexpected("the end") }
        return filter
    }

    private mutating func filter() throws -> Filter<User> {
        count += 1
        guard count <= FilterParser.maximumCount else {
            throw HTTPError(.badRequest, message: "a filter has at most \(FilterParser.maximumCount) conditions")
        }
        let name = word()
        try expect("(")
        let filter: Filter<User>
        switch name {
        case "and", "or":
            var all = try self.filter()
            while skip(",") {
                let next = try self.filter()
                all = name == "and" ? all && next : all || next
            }
            filter = all
        case "not": filter = !(try self.filter())
        default:
            let field = word()
            guard let field = UserField(rawValue: field) else {
                throw HTTPError(.badRequest, message: "there is no field \"\(field)\"; use \(UserField.names)")
            }
            filter = try condition(name, on: field, with: values())
        }
        try expect(")")
        return filter
    }

    // MARK: Conditions

    private func condition(_ name: String, on field: UserField, with values: [String]) throws -> Filter<User> {
        switch field {
        case .id:
            try text(name, \.id, values) ?? order(name, \.id, values) ?? condition(name, \.id, values)
        case .mailAddress: try text(name, \.mailAddress, values) ?? condition(name, \.mailAddress, values)
        case .birthday: try order(name, \.birthday, values) ?? condition(name, \.birthday, values)
        case .monthDay: try order(name, \.monthDay, values) ?? condition(name, \.monthDay, values)
        }
    }

    /// Returns a condition on any field.
    private func condition<Content: TextValue>(
        _ name: String, _ field: Filter<User>.Field<Content>, _ values: [String]
    ) throws -> Filter<User> {
        switch (name, values.count) {
        case ("exists", 0): return .exists(field)
        case ("eq", 1): return field == (try Content(values[0]))
        case ("ne", 1): return field != (try Content(values[0]))
        case ("in", _): return .isIn(field, try values.map { try Content($0) })
        default:
            throw HTTPError(
                .badRequest, message: "there is no condition \(name) with \(values.count) values on this field")
        }
    }

    /// Returns a condition on a field whose values have an order, or `nil` if it is another one.
    private func order<Content: TextValue & Comparable>(
        _ name: String, _ field: Filter<User>.Field<Content>, _ values: [String]
    ) throws -> Filter<User>? {
        switch (name, values.count) {
        case ("lt", 1): field < (try Content(values[0]))
        case ("le", 1): field <= (try Content(values[0]))
        case ("gt", 1): field > (try Content(values[0]))
        case ("ge", 1): field >= (try Content(values[0]))
        case ("between", 2): .between(field, try Content(values[0]), try Content(values[1]))
        default: nil
        }
    }

    /// Returns a condition on a field of texts, or `nil` if it is another one.
    private func text<Content: FieldText>(
        _ name: String, _ field: Filter<User>.Field<Content>, _ values: [String]
    ) -> Filter<User>? {
        switch (name, values.count) {
        case ("begins", 1): .begins(field, with: values[0])
        case ("ibegins", 1): .begins(field, with: values[0], ignoringCase: true)
        case ("contains", 1): .contains(field, values[0])
        case ("icontains", 1): .contains(field, values[0], ignoringCase: true)
        default: nil
        }
    }

    // MARK: Text

    private mutating func word() -> String {
        let word = rest.prefix(while: \.properties.isAlphabetic)
        rest = rest.dropFirst(word.count)
        return String(String.UnicodeScalarView(word))
    }

    private mutating func values() throws -> [String] {
        var values: [String] = []
        while skip(",") { values.append(try value()) }
        return values
    }

    private mutating func value() throws -> String {
        try expect("'")
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "'", !skip("'") { return String(value) }
            value.append(scalar)
        }
        throw unexpected("a quote")
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws {
        guard skip(scalar) else { throw unexpected("\"\(scalar)\"") }
    }

    private func unexpected(_ expected: String) -> HTTPError {
        let found = rest.isEmpty ? "the end" : "\"\(String(String.UnicodeScalarView(rest.prefix(20))))\""
        return HTTPError(.badRequest, message: "the filter has \(found) instead of \(expected)")
    }
}
