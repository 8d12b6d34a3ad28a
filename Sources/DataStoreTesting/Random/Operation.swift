import DataStoreCore

/// An operation in a random sequence, which a store and a dictionary execute.
enum Operation: Sendable, CustomStringConvertible {
    /// Puts and removes records in one transaction. If `throwing` is `true`, the closure throws at its end and the
    /// transaction is aborted.
    case write([Change], throwing: Bool)
    /// Reads the record of a key.
    case read(Key)
    /// Reads the records of a scan.
    case scan(Scan)
    /// Closes the store and opens it again.
    case reopen

    /// A change within a write. A `nil` record removes the key.
    typealias Change = (key: Key, record: Record?)

    /// Returns a random operation. Its keys are from a small set, so that operations often affect the same keys. The
    /// operation is ``reopen`` only if `persistent` is `true`.
    static func random(persistent: Bool, using generator: inout SeededGenerator) throws -> Operation {
        switch Int.random(in: 0..<(persistent ? 20 : 19), using: &generator) {
        case 0..<9:
            let changes = try (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                let isRemoval = Int.random(in: 0..<3, using: &generator) == 0
                return (try Key.random(using: &generator), isRemoval ? nil : Record.random(using: &generator))
            }
            return .write(changes, throwing: Int.random(in: 0..<5, using: &generator) == 0)
        case 9..<14: return .read(try Key.random(using: &generator))
        case 14..<19:
            let key = try Key.random(using: &generator)
            let other = try Key.random(using: &generator)
            let ranges: [IDRange] = [
                .all, .from(key.id), .after(key.id), .all.before(key.id), .all.through(key.id),
                .prefix(String(key.id.prefix(1))),
                .after(key.id).through(other.id),
            ]
            return .scan(
                try Scan(
                    key.collection, ids: ranges.randomElement(using: &generator) ?? .all,
                    limit: Bool.random(using: &generator) ? nil : .random(in: 0...5, using: &generator),
                    isReversed: .random(using: &generator)))
        default: return .reopen
        }
    }

    var description: String {
        switch self {
        case .write(let changes, let throwing):
            let steps = changes.map { "\($0.key) = \($0.record.map { "\($0)" } ?? "nothing")" }
            return "write(\(steps.joined(separator: "; "))\(throwing ? "; throw" : ""))"
        case .read(let key): return "read(\(key))"
        case .scan(let scan): return "\(scan)"
        case .reopen: return "reopen"
        }
    }
}

extension Key {
    /// Returns a random key from a small set.
    fileprivate static func random(using generator: inout SeededGenerator) throws -> Key {
        let collections = ["a", "aa", "b\u{E9}", "be\u{301}"]
        let ids = ["1", "10", "2", "a", "a\u{1}", "\u{E9}", "e\u{301}", "$x", "z", "😀"]
        return try Key(
            collection: collections.randomElement(using: &generator) ?? "a",
            id: ids.randomElement(using: &generator) ?? "1")
    }
}
