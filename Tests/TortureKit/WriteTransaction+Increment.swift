package import DataStoreCore

extension WriteTransaction {
    /// Adds one to the number in a record.
    package mutating func increment(_ key: Key) throws {
        var count: Int64 = 0
        if case .integer(let stored) = try record(for: key)?["count"] { count = stored }
        try put(["count": .integer(count + 1)], for: key)
    }
}
