// The conversion of a field to text and back, e.g. `forecasts[].date` or `birthday:date.monthDay@1`.
extension QueryField {
    /// Returns the text of a path and its transform.
    static func text(of steps: [Step], _ transform: ValueTransform?) -> String {
        let path = steps.map { $0.name.escaped(String.isSpecial) + ($0.isEach ? "[]" : "") }.joined(separator: ".")
        return transform.map { "\(path):\($0.rawValue)" } ?? path
    }

    /// Returns the text of several fields, e.g. `[status, startsAt]`. The text of a single field never begins with `[`,
    /// so a version of the library without compound indexes does not mistake the result for a single field.
    static func compoundText(_ names: [String]) -> String {
        "[\(names.map { $0.escaped { $0 == "," } }.joined(separator: ", "))]"
    }

    /// Splits the text of several fields into the texts of the single fields. Returns `nil` if `text` is not the text
    /// of several fields.
    static func componentTexts(of text: String) -> [String]? {
        guard text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") else { return nil }
        var names = [""]
        var rest = text.unicodeScalars.dropFirst().dropLast()
        while let scalar = rest.popFirst() {
            if scalar == ",", rest.first == " " {
                rest.removeFirst()
                names.append("")
                continue
            }
            names[names.count - 1].unicodeScalars.append(scalar)
            if scalar == "\\", let next = rest.popFirst() { names[names.count - 1].unicodeScalars.append(next) }
        }
        return names.count > 1 ? names : nil
    }

    /// Parses the text of a single field. Returns `nil` if a name is empty, `[]` is incomplete, the transform is
    /// unknown, or the path is longer than a record can be nested.
    static func parse(_ text: String) -> (steps: [Step], transform: ValueTransform?)? {
        if !text.isEmpty, !text.unicodeScalars.contains(where: String.isSpecial) {
            return ([Step(name: text, isEach: false)], nil)
        }
        var steps: [Step] = []
        var name = ""
        var isEach = false
        // Parses Unicode scalars and not characters, because a name may begin with a combining mark.
        var rest = text.unicodeScalars[...]
        func step() -> Step? { name.isEmpty ? nil : Step(name: name, isEach: isEach) }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard !isEach, let next = rest.popFirst() else { return nil }
                name.unicodeScalars.append(next)
            case "[":
                guard !isEach, rest.popFirst() == "]" else { return nil }
                isEach = true
            case ".":
                // A longer path leads nowhere, because no record is nested deeper.
                guard let step = step(), steps.count < Record.maximumDepth else { return nil }
                steps.append(step)
                (name, isEach) = ("", false)
            case ":":
                guard let step = step(), let transform = ValueTransform(rawValue: String(rest)) else { return nil }
                return (steps + [step], transform)
            default:
                guard !isEach else { return nil }
                name.unicodeScalars.append(scalar)
            }
        }
        guard let last = step() else { return nil }
        return (steps + [last], nil)
    }
}

extension String {
    /// Returns the name with a backslash before each character that has a special meaning.
    fileprivate func escaped(_ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isSpecial) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if isSpecial(scalar) { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }

    fileprivate static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == "[" || scalar == ":" || scalar == "\\"
    }
}
