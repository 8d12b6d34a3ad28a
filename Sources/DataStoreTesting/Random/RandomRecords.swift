/// A generator of reproducible random numbers (SplitMix64; Steele, Lea and Flood 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed that determines the sequence of numbers.
    package let seed: UInt64

    private var state: UInt64

    /// Creates a generator.
    ///
    /// - Parameter seed: The seed that determines the sequence of numbers. The default is random.
    package init(seed: UInt64 = .random(in: 0...UInt64.max)) {
        self.seed = seed
        state = seed
    }

    /// Creates a generator for a check, and prints its seed.
    init(printedFor check: String) {
        self.init(seed: DataStoreConformance.seed ?? .random(in: 0...UInt64.max))
        print("\(check): seed \(seed)")
    }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns one of the elements of an array that is not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }
}

extension Record {
    /// Returns a random record with values of all kinds, some of them nested.
    package static func random(using generator: inout SeededGenerator, depth: Int = 0) -> Record {
        var record = Record()
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            let name = String.random(1...12, using: &generator)
            record[name] = Value.random(using: &generator, depth: depth)
        }
        return record
    }
}

extension Value {
    /// Returns a random value of any kind.
    static func random(using generator: inout SeededGenerator, depth: Int) -> Value {
        switch Int.random(in: 0..<(depth < 4 ? 10 : 8), using: &generator) {
        case 0: generator.pick(DataStoreConformance.limitValues)
        case 1, 2: .string(String.random(0...40, using: &generator))
        case 3:
            .integer(Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator))
        // Every bit pattern is a number or a NaN, and all NaNs are equal.
        case 4: .real(Double(bitPattern: generator.next()))
        case 5: .bool(Bool.random(using: &generator))
        case 6:
            .date(
                Timestamp(
                    seconds: Int64.random(in: -70_000_000_000...260_000_000_000, using: &generator),
                    nanoseconds: Bool.random(using: &generator) ? 0 : .random(in: 0..<1_000_000_000, using: &generator))
                    ?? Timestamp(seconds: 0))
        case 7:
            .data((0..<Int.random(in: 0...30, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
        case 8:
            .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in .random(using: &generator, depth: depth + 1) }
            )
        default: .record(Record.random(using: &generator, depth: depth + 1))
        }
    }
}

extension String {
    /// Returns a random text with many characters that stores handle specially, e.g. control characters.
    static func random(_ counts: ClosedRange<Int>, using generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: counts, using: &generator) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: text += generator.pick(["\r", "\n", "\t", "\u{1}", "\u{7F}", "\u{85}", "\u{FFFE}", "\u{301}"])
            case 1: text += generator.pick(["<", "&", "]]>", "$", "%", "\"", "é", "e\u{301}", "😀"])
            case 2: text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 1..<0xD800, using: &generator)) ?? "x")
            default: text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator)))
            }
        }
        return text
    }
}

/// An operation in a random sequence, which a store and a dictionary execute.
enum Operation: Sendable {
    /// Puts and removes records in one transaction. If `throwing` is `true`, the closure throws at its end and the
    /// transaction is aborted. Then reads the records of the changed keys.
    case write([Change], throwing: Bool)
    /// Reads the records of a scan.
    case scan(Scan)
    /// Closes the store and opens it again, if it is persistent.
    case reopen

    /// A change within a write. A `nil` record removes the key.
    typealias Change = (key: Key, record: Record?)

    /// Returns a random operation. Its keys are from a small set, so that operations often affect the same keys.
    static func random(using generator: inout SeededGenerator) throws -> Operation {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<13:
            let changes = try (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                let isRemoval = Int.random(in: 0..<3, using: &generator) == 0
                return (try Key.random(using: &generator), isRemoval ? nil : Record.random(using: &generator))
            }
            return .write(changes, throwing: Int.random(in: 0..<5, using: &generator) == 0)
        case 13..<19:
            let key = try Key.random(using: &generator)
            let other = try Key.random(using: &generator)
            let ranges: [IDRange] = [
                .all, .from(key.id), .after(key.id), .all.before(key.id), .all.through(key.id),
                .prefix(String(key.id.prefix(1))), .after(key.id).through(other.id),
            ]
            return .scan(
                try Scan(
                    key.collection, ids: generator.pick(ranges),
                    limit: Bool.random(using: &generator) ? nil : .random(in: 0...5, using: &generator),
                    isReversed: .random(using: &generator)))
        default: return .reopen
        }
    }
}

extension Key {
    /// Returns a random key from a small set.
    fileprivate static func random(using generator: inout SeededGenerator) throws -> Key {
        let collections = ["a", "a\u{1}", "a/b", "aa", "b\u{E9}", "be\u{301}"]
        let ids = ["1", "10", "2", "a", "a\u{1}", "\u{E9}", "e\u{301}", "$x", "z", "😀"]
        return try Key(collection: generator.pick(collections), id: generator.pick(ids))
    }
}
