/// Finds where lines end, in bytes that come in pieces: each byte is looked at once.
struct LineBoundary: Sendable {
    private enum Place { case fieldStart, field, quoted, quoteInQuoted }

    /// Whether a line feed within quotes ends no line, as in CSV.
    private let knowsQuotes: Bool
    private var place = Place.fieldStart
    /// Up to where was looked.
    private var index = 0

    init(knowsQuotes: Bool) { self.knowsQuotes = knowsQuotes }

    /// Whether the line under way is within quotes.
    var isQuoted: Bool { place == .quoted }

    /// Follows bytes that were moved.
    mutating func move(by count: Int) { index += count }

    /// The end of the line that begins at a place, its line feed included; nil where it is not there yet.
    mutating func next(in bytes: [UInt8], from start: Int) -> Int? {
        if !knowsQuotes {
            index = max(index, start)
            while index < bytes.count {
                index += 1
                if bytes[index - 1] == UInt8(ascii: "\n") { return index }
            }
            return nil
        }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch (place, byte) {
            case (.quoted, UInt8(ascii: "\"")): place = .quoteInQuoted
            case (.quoted, _): break
            case (_, UInt8(ascii: "\n")):
                place = .fieldStart
                return index
            case (_, UInt8(ascii: ",")): place = .fieldStart
            case (.fieldStart, UInt8(ascii: "\"")), (.quoteInQuoted, UInt8(ascii: "\"")): place = .quoted
            // A byte order mark stands before the first field.
            case (.fieldStart, 0xEF), (.fieldStart, 0xBB), (.fieldStart, 0xBF): break
            default: place = .field
            }
        }
        return nil
    }
}
