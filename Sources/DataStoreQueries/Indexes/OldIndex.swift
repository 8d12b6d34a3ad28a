/// An index of an old form of a field, e.g. of a property whose type has changed. The program declares another index in
/// place of it.
struct OldIndex {
    let collection: String
    let name: String
    /// The name of the index that the program declares.
    let replacement: String

    /// A sentence that names the command which removes the index.
    var advice: String {
        "the index \(name) of \(collection) has an old form, \(replacement) replaces it: unless another program needs "
            + "it, run \(command)"
    }

    /// A sentence for a program that does not declare the collection, and cannot know which indexes are needed.
    var question: String {
        "the indexes \(name) and \(replacement) of \(collection) have two forms of one field: if no program declares "
            + "\(name) any more, run \(command)"
    }

    private var command: String { "profile-cli store indexes drop \(quoted(collection)) \(quoted(name))" }

    /// Returns a word for a shell.
    private func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "-")...UInt8(ascii: "."),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}

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
}
