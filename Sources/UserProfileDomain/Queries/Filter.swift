/// The condition that an entity must meet for a ``Query`` to return it.
///
/// ```swift
/// let filter: Filter<User> = \.mailAddress == address || \.birthday < day && .exists(\.mailAddress)
/// ```
///
/// A filter either matches an entity or does not; there is no third state. `!=` negates `==`, so `!=` also matches an
/// entity whose field has no value. No other comparison with a value matches such an entity.
///
/// Queries compare text by Unicode scalar values, so the order does not depend on the locale and canonically equivalent
/// texts differ.
public struct Filter<Entity>: Hashable, Sendable {
    /// The expression of the filter.
    @usableFromInline package let term: FilterTerm

    /// Creates a filter from an expression.
    ///
    /// - Parameter term: An expression that uses only fields of `Entity`.
    @usableFromInline package init(_ term: FilterTerm) { self.term = term }
}

extension Filter where Entity: Queryable {
    /// A key path to one of the entity's queryable fields, e.g. `\.mailAddress`.
    public typealias Field<Content: FieldContent> = KeyPath<Entity.Fields, EntityField<Entity, Content>>

    /// Returns a filter that matches an entity if the value of a field is one of several values.
    ///
    /// - Parameters:
    ///   - field: The field to compare.
    ///   - values: The accepted values. If the sequence is empty, the filter never matches.
    /// - Returns: The filter.
    public static func isIn<Content>(_ field: Field<Content>, _ values: some Sequence<Content>) -> Filter {
        Filter(.isIn(name(field), values.map(\.operand)))
    }

    /// Returns a filter that matches an entity if the value of a field is in a closed range.
    ///
    /// - Parameters:
    ///   - field: The field to compare.
    ///   - lower: The lower bound, inclusive.
    ///   - upper: The upper bound, inclusive. If it is less than `lower`, the filter never matches.
    /// - Returns: The filter.
    public static func between<Content: Comparable>(
        _ field: Field<Content>, _ lower: Content, _ upper: Content
    ) -> Filter {
        Filter(.between(name(field), lower.operand, upper.operand))
    }

    /// Returns a filter that matches an entity if the value of a field is in a closed range, e.g. `1...5`.
    public static func between<Content: Comparable>(_ field: Field<Content>, _ range: ClosedRange<Content>) -> Filter {
        between(field, range.lowerBound, range.upperBound)
    }

    /// Returns a filter that matches an entity if the value of a field is in a range without its upper bound, e.g.
    /// `today..<tomorrow`.
    public static func between<Content: Comparable>(_ field: Field<Content>, _ range: Range<Content>) -> Filter {
        field >= range.lowerBound && field < range.upperBound
    }

    /// Returns a filter that matches an entity if the value of a text field begins with a prefix.
    ///
    /// A mail address (``MailAddress``) is searched as typed and in its comparable form. The case of ASCII letters in
    /// the domain is always ignored.
    ///
    /// - Parameters:
    ///   - field: The text field to search.
    ///   - text: The prefix. The empty prefix matches every value.
    ///   - ignoresCase: Whether to ignore the case of all ASCII letters.
    /// - Returns: The filter.
    public static func begins<Content: FieldText>(
        _ field: Field<Content>, with text: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.begins(name(field), with: text, ignoringCase: ignoresCase))
    }

    /// Returns a filter that matches an entity if the value of a text field contains a substring.
    ///
    /// A mail address (``MailAddress``) is searched as typed and in its comparable form. The case of ASCII letters in
    /// the domain is always ignored.
    ///
    /// - Parameters:
    ///   - field: The text field to search.
    ///   - text: The text to search for. The empty string matches every value.
    ///   - ignoresCase: Whether to ignore the case of all ASCII letters.
    /// - Returns: The filter.
    public static func contains<Content: FieldText>(
        _ field: Field<Content>, _ text: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.contains(name(field), text, ignoringCase: ignoresCase))
    }

    /// Returns a filter that matches an entity if a field has a value.
    ///
    /// - Parameter field: The field to test.
    /// - Returns: The filter.
    @inlinable
    public static func exists<Content>(_ field: Field<Content>) -> Filter { Filter(.exists(name(field))) }

    /// Returns a filter that matches an entity if at least one part of the entity matches another filter.
    ///
    /// ```swift
    /// let filter: Filter<Weather> = .any(\.forecasts, \.date == day && .contains(\.telop, "雨"))
    /// ```
    ///
    /// A single part must match the whole filter: in the example, the forecast for `day` must contain the text.
    ///
    /// - Parameters:
    ///   - parts: A key path to the field that contains the parts, e.g. `\.forecasts`.
    ///   - filter: The condition on a single part.
    /// - Returns: The filter.
    public static func any<Part>(
        _ parts: KeyPath<Entity.Fields, EntityParts<Entity, Part>>, _ filter: Filter<Part>
    ) -> Filter {
        Filter(.any(Entity.fields[keyPath: parts].name, filter.term))
    }

    @inlinable @inline(__always)
    static func name<Content>(_ field: Field<Content>) -> String { Entity.fields[keyPath: field].name }
}

/// The expression of a ``Filter``, in which each field is given by its name.
///
/// Only rare cases are indirect, so a comparison with one value needs no allocation.
@usableFromInline package enum FilterTerm: Hashable, Sendable {
    /// True if the comparison of the named field with the operand holds.
    case compare(String, FilterComparison, Operand)
    /// True if the value of the named field is one of the operands.
    case isIn(String, [Operand])
    /// True if the value of the named field is in a closed range. The operands are the lower and the upper bound.
    indirect case between(String, Operand, Operand)
    /// True if the value of the named field has the given prefix. If `ignoringCase` is `true`, the case of ASCII
    /// letters is ignored.
    case begins(String, with: String, ignoringCase: Bool = false)
    /// True if the value of the named field contains the given substring. If `ignoringCase` is `true`, the case of
    /// ASCII letters is ignored.
    case contains(String, String, ignoringCase: Bool = false)
    /// True if the named field has a value.
    case exists(String)
    /// True if the term is true for at least one part in the named field.
    indirect case any(String, FilterTerm)
    /// True if all terms are true, or if the array is empty.
    case and([FilterTerm])
    /// True if at least one term is true. False if the array is empty.
    case or([FilterTerm])
    /// True if the term is false.
    indirect case not(FilterTerm)
}

extension Filter {
    /// Translates the filter to another form, e.g. an SQL predicate.
    ///
    /// Calls a function of the translator for each condition. The operands of `&&`, `||` and `!` are translated before
    /// the operator.
    ///
    /// - Parameter translator: The translator of the conditions.
    /// - Returns: The translated filter.
    /// - Throws: Any error that the translator throws.
    @inlinable
    public func translated<Translator: FilterTranslator>(
        by translator: Translator
    ) throws -> Translator.Translation {
        try term.translated(by: translator)
    }
}

extension FilterTerm {
    @inlinable
    func translated<Translator: FilterTranslator>(by translator: Translator) throws -> Translator.Translation {
        switch self {
        case .compare(let field, let comparison, let value):
            try translator.compare(field, comparison, value)
        case .isIn(let field, let values): try translator.isIn(field, values)
        case .between(let field, let lower, let upper): try translator.between(field, lower, upper)
        case .begins(let field, let text, let ignoresCase):
            try translator.begins(field, with: text, ignoringCase: ignoresCase)
        case .contains(let field, let text, let ignoresCase):
            try translator.contains(field, text, ignoringCase: ignoresCase)
        case .exists(let field): try translator.exists(field)
        case .any(let parts, let term): try translator.any(parts) { try term.translated(by: $0) }
        case .and(let terms): try translator.and(terms.map { try $0.translated(by: translator) })
        case .or(let terms): try translator.or(terms.map { try $0.translated(by: translator) })
        case .not(let term): try translator.not(term.translated(by: translator))
        }
    }
}

/// An operator that compares the value of a field with a given value.
public enum FilterComparison: Hashable, Sendable, CaseIterable {
    /// The field has a value, which equals the given value.
    case equal
    /// The field has a value that differs from the given value, or has no value.
    case notEqual
    /// The field has a value that is less than the given value.
    case less
    /// The field has a value that is less than or equal to the given value.
    case lessOrEqual
    /// The field has a value that is greater than the given value.
    case greater
    /// The field has a value that is greater than or equal to the given value.
    case greaterOrEqual
}
