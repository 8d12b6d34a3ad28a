/// The arguments of a command, which are consumed in order.
struct Arguments {
    /// A missing or invalid argument.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private var rest: ArraySlice<String>

    private var kind = StoreLocation.Kind.lmdb

    init(_ arguments: ArraySlice<String>) { rest = arguments }

    /// Consumes a word if it is the next argument.
    mutating func take(_ word: String) -> Bool {
        guard rest.first == word else { return false }
        rest.removeFirst()
        return true
    }

    /// Consumes the option that names the kind of the store, if it is present.
    mutating func takeStore() throws {
        guard take("--store") else { return }
        let name = try text("kind of the store")
        guard let kind = StoreLocation.Kind(rawValue: name) else {
            throw Problem(description: "the kind of store \(name) is unknown")
        }
        self.kind = kind
    }

    mutating func location() throws -> StoreLocation { StoreLocation(kind: kind, path: try text("path")) }

    mutating func text(_ name: String) throws -> String {
        guard let text = rest.popFirst() else { throw Problem(description: "the \(name) is missing") }
        return text
    }

    mutating func number<Number: FixedWidthInteger>(_ name: String) throws -> Number {
        guard let number: Number = try nextNumber(name) else { throw Problem(description: "the \(name) is missing") }
        return number
    }

    /// Returns the next number, or `nil` if there are no more arguments.
    mutating func nextNumber<Number: FixedWidthInteger>(_ name: String) throws -> Number? {
        guard let text = rest.popFirst() else { return nil }
        guard let number = Number(text) else { throw Problem(description: "the \(name) is not a number: \(text)") }
        return number
    }
}
