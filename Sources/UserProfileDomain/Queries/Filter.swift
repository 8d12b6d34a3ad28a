/// The condition of a ``Query``: it decides which entities the query returns.
///
/// ```swift
/// let filter: Filter<User> = \.mailAddress == address || \.birthday < day && !.exists(\.mailAddress)
/// ```
///
/// A filter is either true or false; there is no third state. `!=` is the negation of `==`, so it also matches entities
/// without a value in the field. Every other comparison requires a value.
///
/// Text is compared by Unicode scalar values. Canonically equivalent texts differ, and the order is independent of the
/// locale. Operands are values and are never parsed.
public struct Filter<Entity>: Hashable, Sendable {
    /// The term that a repository evaluates.
    public let term: FilterTerm

    /// Creates a filter from a term that uses only fields of the entity.
    ///
    /// - Parameter term: The term.
    @usableFromInline package init(_ term: FilterTerm) { self.term = term }
}

extension Filter where Entity: Queryable {
    /// A field of the entity, as a key path of its fields.
    public typealias Field<Content: FieldContent> = KeyPath<Entity.Fields, EntityField<Entity, Content>>

    /// Returns a filter that matches if a field has one of several values. It never matches if there are no values.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - values: The values.
    /// - Returns: The filter.
    public static func isIn<Content>(_ field: Field<Content>, _ values: some Sequence<Content>) -> Filter {
        Filter(.isIn(name(field), values.map(\.operand)))
    }

    /// Returns a filter that matches if a field's value is in a closed range.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - lower: The lower bound, inclusive.
    ///   - upper: The upper bound, inclusive. If it is less than `lower`, the filter never matches.
    /// - Returns: The filter.
    public static func between<Content: Comparable>(
        _ field: Field<Content>, _ lower: Content, _ upper: Content
    ) -> Filter {
        Filter(.between(name(field), lower.operand, upper.operand))
    }

    /// Returns a filter that matches if a field's value begins with a text. In a mail address, the comparison ignores
    /// the case of ASCII letters after an `@`.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - text: The prefix. The empty text matches every value.
    ///   - ignoresCase: Whether to ignore the case of all ASCII letters.
    /// - Returns: The filter.
    public static func begins<Content: FieldText>(
        _ field: Field<Content>, with text: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.begins(name(field), with: text, ignoringCase: ignoresCase))
    }

    /// Returns a filter that matches if a field's value contains a text. In a mail address, the comparison ignores the
    /// case of ASCII letters in the domain, and of those after an `@` in the text.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - text: The text to search for. The empty text matches every value.
    ///   - ignoresCase: Whether to ignore the case of all ASCII letters.
    /// - Returns: The filter.
    public static func contains<Content: FieldText>(
        _ field: Field<Content>, _ text: String, ignoringCase ignoresCase: Bool = false
    ) -> Filter {
        Filter(.contains(name(field), text, ignoringCase: ignoresCase))
    }

    /// Returns a filter that matches if a field has a value.
    ///
    /// - Parameter field: The field.
    /// - Returns: The filter.
    @inlinable
    public static func exists<Content>(_ field: Field<Content>) -> Filter { Filter(.exists(name(field))) }

    /// Returns a filter that matches if at least one part of the entity meets a whole filter by itself.
    ///
    /// ```swift
    /// let filter: Filter<Weather> = .any(\.forecasts, \.date == day && .contains(\.telop, "雨"))
    /// ```
    ///
    /// - Parameters:
    ///   - parts: The field with the parts.
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
