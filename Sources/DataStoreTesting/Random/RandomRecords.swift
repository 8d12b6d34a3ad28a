package import DataStoreCore

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
        case 0: DataStoreConformance.limitValues.randomElement(using: &generator) ?? .bool(true)
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
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    Value.random(using: &generator, depth: depth + 1)
                })
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
            case 0:
                text +=
                    ["\r", "\n", "\t", "\u{1}", "\u{7F}", "\u{85}", "\u{FFFE}", "\u{301}"].randomElement(
                        using: &generator) ?? ""
            case 1:
                text += ["<", "&", "]]>", "$", "%", "\"", "é", "e\u{301}", "😀"].randomElement(using: &generator) ?? ""
            case 2: text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 1..<0xD800, using: &generator)) ?? "x")
            default: text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator)))
            }
        }
        return text
    }
}
