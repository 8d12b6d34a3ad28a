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
