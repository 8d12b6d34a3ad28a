/// The field of an index as people say it, e.g. `month and day of birthday` for `birthday:date.monthDay@1`.
enum FieldWords {
    /// Returns the words for the name of an index. The name of a compound index lists several fields.
    static func text(_ name: String) -> String {
        guard name.hasPrefix("["), name.hasSuffix("]") else { return field(name) }
        let fields = name.dropFirst().dropLast().split(separator: ",")
        return fields.map { field(String($0.drop { $0 == " " })) }.joined(separator: ", then ")
    }

    private static func field(_ name: String) -> String {
        let path = name.prefix { $0 != ":" }
        let text = path.split(separator: ".").reversed().map { step in
            words(step)
        }.joined(separator: " of ")
        return name.hasSuffix(":date.monthDay@1") ? "month and day of \(text)" : text
    }

    /// Divides a name at its capital letters: `mailAddress` becomes `mail address`.
    private static func words(_ step: Substring) -> String {
        // A field "-key" contains the comparable form of another field.
        let element = step.hasSuffix("[]") ? step.dropLast(2) : step
        let name = element.hasSuffix("-key") ? element.dropLast(4) : element
        var text = ""
        var isCapital = true
        for character in name {
            if character.isUppercase, !isCapital { text += " " }
            // A capital word, like the ID of `patientID`, stays one word.
            isCapital = character.isUppercase
            text.append(character)
        }
        return text.split(separator: " ").map { word in
            word.count > 1 && word.allSatisfy(\.isUppercase) ? String(word) : word.lowercased()
        }.joined(separator: " ")
    }
}
