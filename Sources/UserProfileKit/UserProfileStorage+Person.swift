// Everything that belongs to one person: the user, and the entities whose type declares an owner.
extension UserProfileStorage {
    /// Deletes a user and everything that belongs to the user, in one transaction.
    ///
    /// ```swift
    /// let counts = try await storage.erase(user, settingsPrefix: "user-\(user)-")
    /// print(counts)      // ["users": 1, "visits": 3]
    /// ```
    ///
    /// An entity belongs to a user if its type declares an `owner`, in this program or in another one that uses the
    /// store. Deletion rules of references delete further entities.
    ///
    /// Deleted values may remain in unused parts of an LMDB file, and in backups. A copy of the store that
    /// ``StorageLocation/copy(to:replacing:progress:)`` makes contains none of them.
    ///
    /// - Parameters:
    ///   - user: The user to delete.
    ///   - prefix: The prefix of the names of the user's groups of settings, or `nil` if the user has none.
    /// - Returns: The number of deleted records by collection. It is empty if nothing belonged to the user.
    /// - Throws: `RepositoryError` with the code `conflict` if a remaining entity refers to a deleted one, or with
    ///   another code if the store fails. `CancellationError` if the task is cancelled. In each case nothing is
    ///   deleted.
    public func erase(_ user: UserID, settingsPrefix prefix: String? = nil) async throws -> [String: Int] {
        try await records.writeConvertingErrors { transaction in
            let own = try Key(collection: UserMapping().collection, id: user.text)
            var keys = [own]
            if let prefix {
                try transaction.reading.forEachID(in: UserProfileStorage.settings(prefix)) { id in
                    keys.append(Key(stored: String(decoding: id), in: Settings.collection))
                }
            }
            return try transaction.removeAll(ownedBy: user.text, and: keys)
        }
    }

    /// Writes a user and everything that belongs to the user as JSON Lines, from one snapshot.
    ///
    /// Each line is an object with the members `collection`, `id` and `record`. Dates are written as
    /// `{"$date": "2026-11-21T17:00:00Z"}`, and data as `{"$data": "base64"}`.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - prefix: The prefix of the names of the user's groups of settings, or `nil` if the user has none.
    ///   - write: A closure that receives each line, including the line feed.
    /// - Returns: The number of lines.
    /// - Throws: The error of `write`, `RepositoryError` if the store fails, or `CancellationError` if the task is
    ///   cancelled.
    @discardableResult
    public func export(
        of user: UserID, settingsPrefix prefix: String? = nil, to write: @Sendable (String) throws -> Void
    ) async throws -> Int {
        try await records.readConvertingErrors { transaction in
            let own = try Key(collection: UserMapping().collection, id: user.text)
            var count = 0
            func line(_ key: Key, _ record: Record) throws {
                let line = Value.record([
                    "collection": .string(key.collection), "id": .string(key.id), "record": .record(record),
                ])
                try ChangeFailure.wrapping { try write(RecordJSON.text(line) + "\n") }
                count += 1
            }
            if let record = try transaction.record(for: own) { try line(own, record) }
            try transaction.forEachOwned(by: user.text) { try line($0, $1.record()) }
            if let prefix {
                try transaction.forEach(in: UserProfileStorage.settings(prefix)) { key, record in
                    try line(key, record)
                    return .next
                }
            }
            return count
        }
    }

    private static func settings(_ prefix: String) -> Scan { Scan(stored: Settings.collection, ids: .prefix(prefix)) }
}
