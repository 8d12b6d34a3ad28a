/// A search for line ends in bytes that arrive in chunks. It examines each byte once.
struct LineBoundary: Sendable {
    private enum State { case fieldStart, field, quoted, quoteInQuoted }

    /// Whether the format has quotes, as CSV does. If so, a line feed within quotes does not end a line.
    private let knowsQuotes: Bool
    private var state = State.fieldStart
    /// The position of the first byte that has not been examined.
    private var index = 0

    init(knowsQuotes: Bool) { self.knowsQuotes = knowsQuotes }

    /// Whether the current position is within quotes.
    var isQuoted: Bool { state == .quoted }

    /// Adds `count` to the position of the next byte to examine. `count` is negative if bytes were removed from the
    /// start of the buffer.
    mutating func move(by count: Int) { index += count }

    /// Returns the end of the line that begins at `start`, as if it had no quotes, and continues there. Call this
    /// function at the end of the input if a quote is not closed, so that only one line is lost.
    mutating func endUnclosedLine(in bytes: [UInt8], from start: Int) -> Int {
        index = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
        state = .fieldStart
        return index
    }

    /// Returns the index after the line feed of the line that begins at `start`. Returns `nil` if the bytes contain no
    /// line feed that ends the line.
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
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
            case (.quoted, _): break
            case (_, UInt8(ascii: "\n")):
                state = .fieldStart
                return index
            case (_, UInt8(ascii: ",")): state = .fieldStart
            case (.fieldStart, UInt8(ascii: "\"")), (.quoteInQuoted, UInt8(ascii: "\"")): state = .quoted
            // A byte order mark may come before the first field.
            case (.fieldStart, 0xEF), (.fieldStart, 0xBB), (.fieldStart, 0xBF): break
            default: state = .field
            }
        }
        return nil
    }
}
