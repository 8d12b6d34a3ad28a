import DataStoreCore
import DataStoreTesting

/// The parameters of a randomly filled store.
struct StoreShape: Sendable {
    var keyCount: Int
    var largestValue: Int
    var keyLength = 4

    /// Returns the changes of one transaction: mostly writes or mostly removals, so that trees grow and shrink.
    func changes(using generator: inout SeededGenerator) throws -> [(key: Key, record: Record?)] {
        let removal = [0.1, 0.5, 0.9].randomElement(using: &generator) ?? 0.5
        return try (0..<Int.random(in: 1...keyCount, using: &generator)).map { _ in
            let number = Int.random(in: 0..<keyCount, using: &generator)
            let digits = String(number)
            let key = try Key(
                collection: "collection", id: String(repeating: "0", count: max(0, keyLength - digits.count)) + digits)
            guard Double.random(in: 0..<1, using: &generator) >= removal else { return (key, nil) }
            let size = Int.random(in: 0...largestValue, using: &generator)
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (key, ["data": .data(Array(repeating: byte, count: size))])
        }
    }
}
