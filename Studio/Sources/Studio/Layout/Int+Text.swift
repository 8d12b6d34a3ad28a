extension Int {
    /// The number as text with commas as thousands separators.
    var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    /// Returns the number followed by a noun in singular or plural, e.g. `2 profiles`.
    func counted(_ singular: String) -> String { "\(grouped) \(singular)\(self == 1 ? "" : "s")" }
}
