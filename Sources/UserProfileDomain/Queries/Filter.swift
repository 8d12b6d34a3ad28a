/// What an entity must be like to be among the answers of a ``Query``.
///
/// ```swift
/// let filter: Filter<User> = \.mailAddress == address || \.birthday < day && !.exists(\.mailAddress)
/// ```
///
/// A filter holds or does not; there is no third. `!=` is the contrary of `==`, so it holds where an entity has no
/// value there; every other comparison needs one. Text compares by its Unicode scalar values: spellings of one letter
/// are different, and no language's alphabet plays a part. Operands are values, never text with a syntax.
public struct Filter<Entity>: Hashable, Sendable {
    /// What is asked, for whoever keeps the entities.
    public let term: FilterTerm

    /// Makes a filter of a term whose fields are those of the entity.
    ///
    /// - Parameter term: what is asked.
    @usableFromInline package init(_ term: FilterTerm) { self.term = term }
}

extension Filter where Entity: Queryable {
    /// A field of the entity, by its key path among the fields.
    public typealias Field<Content: FieldContent> = KeyPath<Entity.Fields, EntityField<Entity, Content>>

    /// Whether a field has one of some values; with none of them it never holds.
    ///
    /// - Parameters:
    ///   - field: which field.
    ///   - values: the values.
    /// - Returns: the filter.
    public static func isIn<Content>(_ field: Field<Content>, _ values: some Sequence<Content>) -> Filter {
        Filter(.isIn(name(field), values.map(\.operand)))
    }

    /// Whether a field's value is neither before one value nor after another.
    ///
    /// - Parameters:
    ///   - field: which field.
    ///   - lower: the least that is within.
    ///   - upper: the greatest that is within; where it is less than `lower`, nothing is.
    /// - Returns: the filter.
    public static func between<Content: Comparable>(
        _ field: Field<Content>, _ lower: Content, _ upper: Content
    ) -> Filter {
        Filter(.between(name(field), lower.operand, upper.operand))
    }

    /// Whether a field's value begins with a text. In a mail address what stands behind an `@` is compared ignoring the
    /// case of ASCII letters.
    ///
    /// - Parameters:
    ///   - field: which field.
    ///   - text: the text; the empty one begins all.
    /// - Returns: the filter.
    public static func begins<Content: FieldText>(_ field: Field<Content>, with text: String) -> Filter {
        Filter(.begins(name(field), with: text))
    }

    /// Whether a field's value has a text somewhere in it. In a mail address the domain, and what stands behind an `@`
    /// of the text, are compared ignoring the case of ASCII letters.
    ///
    /// - Parameters:
    ///   - field: which field.
    ///   - text: the text; the empty one is in all.
    /// - Returns: the filter.
    public static func contains<Content: FieldText>(_ field: Field<Content>, _ text: String) -> Filter {
        Filter(.contains(name(field), text))
    }

    /// Whether a field has a value.
    ///
    /// - Parameter field: which field.
    /// - Returns: the filter.
    public static func exists<Content>(_ field: Field<Content>) -> Filter { Filter(.exists(name(field))) }

    /// Whether one of the entity's parts meets a filter, all of it by itself.
    ///
    /// ```swift
    /// let filter: Filter<Weather> = .any(\.forecasts, \.date == day && .contains(\.telop, "雨"))
    /// ```
    ///
    /// - Parameters:
    ///   - parts: where the parts are.
    ///   - filter: what one of them must be like.
    /// - Returns: the filter.
    public static func any<Part>(
        _ parts: KeyPath<Entity.Fields, EntityParts<Entity, Part>>, _ filter: Filter<Part>
    ) -> Filter {
        Filter(.any(Entity.fields[keyPath: parts].name, filter.term))
    }

    @inlinable @inline(__always)
    static func name<Content>(_ field: Field<Content>) -> String { Entity.fields[keyPath: field].name }
}
