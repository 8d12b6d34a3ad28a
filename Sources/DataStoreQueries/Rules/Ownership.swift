extension WriteTransaction {
    /// Removes everything that belongs to an owner, and the given records.
    ///
    /// - Parameters:
    ///   - owner: The id of the owner, with which the fields of owners are compared.
    ///   - records: Keys of further records to remove, e.g. the owner's own record.
    /// - Returns: The number of removed records by collection, including the removals of deletion rules.
    /// - Throws: `DataStoreError` with the code `brokenReference` if a remaining record refers to a removed one.
    package mutating func removeAll(ownedBy owner: String, and records: [Key]) throws -> [String: Int] {
        var keys = records
        try reading.forEachOwned(by: owner) { key, _ in keys.append(key) }
        // The queries may have created indexes. The removals must maintain them.
        if backend.isInMemory { for name in try reading.rules().names { forgetIndexes(of: name) } }
        var counts: [String: Int] = [:]
        for key in keys where try remove(key) { counts[key.collection, default: 0] += 1 }
        let others = try (maintenance as? RecordMaintenance)?.finish(in: backend) ?? [:]
        return counts.merging(others) { $0 + $1 }
    }
}

extension ReadTransaction {
    /// Passes the records of all collections that belong to an owner to a closure, including expired ones.
    package func forEachOwned(by owner: String, _ body: (Key, borrowing RecordView) throws -> Void) throws {
        for (name, rules) in try rules().all() {
            guard let field = rules.owner else { continue }
            let query = RecordQuery(
                name, where: .compare(field, .equal, .string(owner)), indexes: [IndexDefinition(field)],
                hidesExpired: false)
            try forEachView(matching: query) { key, view in
                try body(key, view)
                return .next
            }
        }
    }
}
