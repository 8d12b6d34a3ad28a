// An index of an old form of a field, e.g. of a property whose type has changed. The program declares another index in
// place of it.

extension [IndexDefinition] {
    /// Returns the name of the index that is declared on the same fields as another index in another form. Returns
    /// `nil` if the other index itself is declared, or if none is declared on its fields.
    func replacement(of field: QueryField) -> String? {
        contains { $0.field == field } ? nil : first { $0.field.paths == field.paths }?.name
    }
}

extension Index {
    /// Returns the index with the name of the index that the program declares in place of it.
    func naming(_ declared: [IndexDefinition]) -> Index {
        guard let replacement = declared.replacement(of: field) else { return self }
        return Index(field, state, replacement: replacement)
    }

    /// Returns a sentence that names the command which removes an index. `replacement` is the name of the index that
    /// the program declares in place of it.
    static func advice(removing name: String, of collection: String, replacedBy replacement: String) -> String {
        "the index \(name) of \(collection) has an old form, \(replacement) replaces it: unless another program needs "
            + "it, run \(command(removing: name, of: collection))"
    }

    /// Returns the sentence for a program that does not declare the collection, and cannot know which indexes are
    /// needed. `later` is the name of a later index on the same fields.
    static func advice(removing name: String, of collection: String, before later: String) -> String {
        "the indexes \(name) and \(later) of \(collection) have two forms of one field: if no program declares "
            + "\(name) any more, run \(command(removing: name, of: collection))"
    }

    private static func command(removing name: String, of collection: String) -> String {
        "profile-cli store indexes drop \(quoted(collection)) \(quoted(name))"
    }

    /// Returns a word for a shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || ":@-._".contains($0) }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
