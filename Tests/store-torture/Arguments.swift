/// The arguments of a command, taken one after the other.
struct Arguments {
    /// An argument that is missing or is not what it should be.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private var rest: ArraySlice<String>

    private var kind = StorePlace.Kind.lmdb

    init(_ arguments: ArraySlice<String>) { rest = arguments }

    /// Takes a word, if it is the next one.
    mutating func take(_ word: String) -> Bool {
        guard rest.first == word else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes what says of which kind the store is, if something does.
    mutating func takeStore() throws {
        guard take("--store") else { return }
        let name = try text("kind of the store")
        guard let kind = StorePlace.Kind(rawValue: name) else {
            throw Problem(description: "there is no store \(name)")
        }
        self.kind = kind
    }

    mutating func place() throws -> StorePlace { StorePlace(kind: kind, path: try text("path")) }

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
