// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import QueryVocabulary

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

    /// Returns a filter that matches an entity if the value of a field is in a closed range, e.g.
    /// `.between(\.days, 1...5)`.
    public static func between<Content: Comparable>(_ field: Field<Content>, _ range: ClosedRange<Content>) -> Filter {
        between(field, range.lowerBound, range.upperBound)
    }

    /// Returns a filter that matches an entity if the value of a field is in a range without its upper bound, e.g.
    /// `.between(\.startsAt, today..<tomorrow)`.
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
    ///   - ignoresCase: Whether to ignore the case of letters (Unicode case folding, so `ß` is equal to `SS`).
    /// - Returns: The filter.
    public static func begins<Content: FieldText>(
        _ field: Field<Content>, with text: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.text(name(field), TextMatch(.begins, text, ignoringCase: ignoresCase)))
    }

    /// Returns a filter that matches an entity if the value of a text field ends with a suffix.
    ///
    /// - Parameters:
    ///   - field: The text field to search. A mail address is searched as in ``begins(_:with:ignoringCase:)``.
    ///   - text: The suffix. The empty suffix matches every value.
    ///   - ignoresCase: Whether to ignore the case of letters.
    /// - Returns: The filter.
    public static func ends<Content: FieldText>(
        _ field: Field<Content>, with text: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.text(name(field), TextMatch(.ends, text, ignoringCase: ignoresCase)))
    }

    /// Returns a filter that matches an entity if the value of a text field contains a substring.
    ///
    /// - Parameters:
    ///   - field: The text field to search. A mail address is searched as in ``begins(_:with:ignoringCase:)``.
    ///   - text: The text to search for. The empty string matches every value.
    ///   - ignoresCase: Whether to ignore the case of letters.
    /// - Returns: The filter.
    public static func contains<Content: FieldText>(
        _ field: Field<Content>, _ text: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.text(name(field), TextMatch(.contains, text, ignoringCase: ignoresCase)))
    }

    /// Returns a filter that matches an entity if the whole value of a text field matches a pattern.
    ///
    /// ```swift
    /// let filter: Filter<User> = .like(\.mailAddress, "v?sion@*.example.com")
    /// ```
    ///
    /// - Parameters:
    ///   - field: The text field to search. A mail address is searched as in ``begins(_:with:ignoringCase:)``.
    ///   - pattern: The pattern: `*` matches any text, `?` matches one Unicode scalar, and a backslash removes the
    ///     meaning of the next character.
    ///   - ignoresCase: Whether to ignore the case of letters. `?` then matches one Unicode scalar of the case folding.
    /// - Returns: The filter.
    public static func like<Content: FieldText>(
        _ field: Field<Content>, _ pattern: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.text(name(field), TextMatch(.like, pattern, ignoringCase: ignoresCase)))
    }

    /// Returns a filter that matches an entity if the value of a text field equals a text, regardless of the case of
    /// letters.
    ///
    /// An index with the transform `foldedText` answers the filter.
    ///
    /// - Parameters:
    ///   - field: The text field to compare.
    ///   - text: The text.
    /// - Returns: The filter.
    public static func equals<Content: FieldText>(_ field: Field<Content>, ignoringCase text: String) -> Filter {
        Filter(.text(name(field), TextMatch(.equals, text, ignoringCase: true)))
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
@usableFromInline package typealias FilterTerm = ConditionTree<String, Operand>

extension Filter {
    /// Translates the filter to another form, e.g. an SQL predicate.
    ///
    /// Calls a function of the translator for each condition. The operands of `&&`, `||` and `!` are translated before
    /// the operator.
    ///
    /// - Parameter translator: The translator of the conditions.
    /// - Returns: The translated filter.
    /// - Throws: Any error that the translator throws.
    public func translated<Translator: FilterTranslator>(by translator: Translator) throws -> Translator.Translation {
        try term.translated(by: translator)
    }
}

extension FilterTerm {
    fileprivate func translated<Translator: FilterTranslator>(
        by translator: Translator
    ) throws -> Translator.Translation {
        switch self {
        case .compare(let field, let comparison, let value):
            try translator.compare(field, comparison, value)
        case .isIn(let field, let values): try translator.isIn(field, values)
        case .between(let field, let lower, let upper): try translator.between(field, lower, upper)
        case .text(let field, let match): try translator.text(field, match)
        case .exists(let field): try translator.exists(field)
        case .any(let parts, let term): try translator.any(parts) { try term.translated(by: $0) }
        case .and(let terms): try translator.and(terms.map { try $0.translated(by: translator) })
        case .or(let terms): try translator.or(terms.map { try $0.translated(by: translator) })
        case .not(let term): try translator.not(term.translated(by: translator))
        }
    }
}
