/// The names of an entity's fields in another language.
struct FieldNames {
    let language: String
    let name: (String) -> String?

    /// Returns the name of a field. Throws an error if the language has no such field.
    func named(_ field: String) throws(RepositoryError) -> String {
        guard let name = name(field) else { throw unsupported("the field \(field)") }
        return name
    }

    func unsupported(_ condition: String) -> RepositoryError {
        RepositoryError(.programmingError, message: "\(language) cannot express \(condition)")
    }
}

extension Operand {
    /// Whether the value is not a number, and therefore neither equal to nor less than any value.
    var isNaN: Bool { if case .real(let number) = self { number.isNaN } else { false } }
}

extension String {
    /// Returns the text with a scalar inserted before each of some scalars. It is built from Unicode scalars, because a
    /// quote and a combining mark after it are one `Character`.
    func inserting(_ escape: Unicode.Scalar, before isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if isSpecial(scalar) { text.append(escape) }
            text.append(scalar)
        }
        return String(text)
    }
}
