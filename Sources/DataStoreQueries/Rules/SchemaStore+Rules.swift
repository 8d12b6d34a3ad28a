extension SchemaStore {
    /// Declares the rules of the schema in the store, so that programs that do not declare them follow them, too. If
    /// the store has all of them, the function only reads.
    ///
    /// The first write declares the rules, too. This function finds records that break a new reference earlier.
    ///
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `brokenReference` if records refer to records that do not exist. The error lists them.
    ///   - `misuse` if a rule contradicts a rule of another program.
    public func declareRules() async throws {
        guard schema.collections.contains(where: { !$0.rules.isEmpty }),
            try await store.read({ [schema] in try $0.rules().adding(schema) != nil })
        else { return }
        try await write { transaction in
            _ = try (transaction.maintenance as? RecordMaintenance)?.rules(in: transaction.backend)
        }
    }

    /// Removes the references, the expiry and the owner of a collection from the store. The records stay. Remove the
    /// declarations from all programs first, because a program that declares a rule adds it again.
    ///
    /// - Parameter collection: The name of the collection.
    /// - Returns: Whether the collection had rules.
    /// - Throws: `DataStoreError` if the store cannot be written.
    @discardableResult
    public func removeRules(of collection: String) async throws -> Bool {
        try await store.write { transaction in
            let stored = try StoreRules.stored(in: transaction.reading)
            guard let changed = stored.removingDeclared(collection) else { return false }
            try transaction.replaceRules(with: changed)
            return true
        }
    }

    /// Removes expired records, which no read returns any more. Each write removes up to 1,000 records, so other writes
    /// do not wait long.
    ///
    /// - Parameter progress: A closure that receives the number of records removed so far.
    /// - Returns: The number of removed records.
    /// - Throws: `CancellationError` if the task is cancelled, or `DataStoreError` if the store cannot be written.
    @discardableResult
    public func purge(progress: (_ count: Int) -> Void = { _ in }) async throws -> Int {
        let names = try await store.read { try $0.rules().all().filter { $0.rules.expiry != nil }.map(\.name) }
        var count = 0
        for name in names {
            while true {
                try Task.checkCancellation()
                let removed = try await write { [now] transaction in
                    try transaction.removeExpired(from: name, at: now(), limit: 1000)
                }
                count += removed
                if removed == 0 { break }
                progress(count)
            }
        }
        return count
    }
}

extension WriteTransaction {
    fileprivate mutating func removeExpired(
        from collection: String, at now: Timestamp, limit: Int
    ) throws -> Int {
        guard let field = try expiry(of: collection, at: now)?.field else { return 0 }
        let query = RecordQuery(
            collection, where: .compare(field, .lessOrEqual, .date(now)), limit: limit,
            indexes: [IndexDefinition(field)], hidesExpired: false)
        // The records themselves are not kept, because they can be large.
        var keys: [Key] = []
        try forEachView(matching: query) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { try remove(key) }
        return keys.count
    }
}
