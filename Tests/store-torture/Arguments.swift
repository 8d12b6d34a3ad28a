/// The arguments of a command, taken one after the other.
struct Arguments {
    /// An argument that is missing or is not what it should be.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private var rest: ArraySlice<String>

    init(_ arguments: ArraySlice<String>) { rest = arguments }

    mutating func text(_ name: String) throws -> String {
        guard let text = rest.popFirst() else { throw Problem(description: "the \(name) is missing") }
        return text
    }

    mutating func number<Number: FixedWidthInteger>(_ name: String) throws -> Number {
        guard let number: Number = try nextNumber(name) else { throw Problem(description: "the \(name) is missing") }
        return number
    }

    /// The next number, or nil where there are no more arguments.
    mutating func nextNumber<Number: FixedWidthInteger>(_ name: String) throws -> Number? {
        guard let text = rest.popFirst() else { return nil }
        guard let number = Number(text) else { throw Problem(description: "the \(name) is no number: \(text)") }
        return number
    }
}
