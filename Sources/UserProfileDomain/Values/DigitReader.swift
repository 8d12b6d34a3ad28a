/// A parser for dates and times that consist of fixed-width ASCII numbers, e.g. `2011-08-01`.
struct DigitReader {
    private let text: String
    private var rest: String.UTF8View.Iterator
    private let subject: ValidationError.Subject

    /// The next byte of the input, or `nil` at its end.
    private(set) var next: UInt8?

    /// The position of the next byte, in bytes from the start of the input.
    private(set) var offset = 0

    init(_ text: String, as subject: ValidationError.Subject) {
        self.text = text
        self.subject = subject
        rest = text.utf8.makeIterator()
        next = rest.next()
    }

    private mutating func step() {
        next = rest.next()
        offset += 1
    }

    func validationError(_ rule: String, at position: Int? = nil) -> ValidationError {
        ValidationError(subject, given: text, rule: rule, offset: position ?? offset)
    }

    /// Consumes and returns the next byte. Throws a ``ValidationError`` with the given rule if the byte is not one of
    /// the given characters.
    mutating func expect(_ characters: String, _ rule: String) throws(ValidationError) -> UInt8 {
        guard let next, characters.utf8.contains(next) else { throw validationError(rule) }
        step()
        return next
    }

    /// Parses a number with an exact number of digits. Throws a ``ValidationError`` with the given rule if a digit is
    /// missing.
    mutating func number(digits: Int, _ rule: String) throws(ValidationError) -> Int {
        var number = 0
        for _ in 0..<digits {
            guard let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else { throw validationError(rule) }
            number = number * 10 + Int(next - UInt8(ascii: "0"))
            step()
        }
        return number
    }

    /// Parses a date in the form `yyyy-MM-dd`.
    mutating func date() throws(ValidationError) -> CalendarDate {
        let start = offset
        let year = try number(digits: 4, "the year must have four digits, yyyy-MM-dd")
        _ = try expect("-", "a hyphen must follow the year, yyyy-MM-dd")
        let month = try number(digits: 2, "the month must have two digits, yyyy-MM-dd")
        _ = try expect("-", "a hyphen must follow the month, yyyy-MM-dd")
        let day = try number(digits: 2, "the day must have two digits, yyyy-MM-dd")
        do {
            return try CalendarDate(year: year, month: month, day: day, given: text, at: start)
        } catch {
            throw ValidationError(subject, given: text, rule: error.rule, offset: error.offset)
        }
    }

    func expectEnd(_ rule: String) throws(ValidationError) {
        guard next == nil else { throw validationError(rule) }
    }
}
