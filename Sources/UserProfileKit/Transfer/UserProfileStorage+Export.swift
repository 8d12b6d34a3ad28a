public import ProfileFormats
public import UserProfileDomain

extension UserProfileStorage {
    /// Exports profiles of one snapshot as text, in the order of their ids.
    ///
    /// The text is written in chunks, so that memory use is bounded. While the export runs, an LMDB store keeps the
    /// data that concurrent writes replace. `write` should therefore not block for long.
    ///
    /// - Parameters:
    ///   - format: The format of the text.
    ///   - filter: The profiles to export; `nil` for all.
    ///   - progress: Receives the number of exported profiles, each time before `write` is called.
    ///   - write: Receives the next bytes.
    /// - Returns: The number of exported profiles.
    /// - Throws: What `write` throws, unchanged; `RepositoryError`; `CancellationError`.
    @discardableResult
    public func exportUsers(
        _ format: ProfileFormat, where filter: Filter<User>? = nil, progress: @Sendable (Int) -> Void = { _ in },
        to write: @Sendable ([UInt8]) throws -> Void
    ) async throws -> Int {
        let writer = ProfileWriter(format)
        var first: [UInt8] = []
        writer.begin(&first)
        let rest = try await users.reduce(Query(where: filter), into: (bytes: first, count: 0)) { rest, user in
            writer.append(user, to: &rest.bytes)
            rest.count += 1
            guard rest.bytes.count >= 1 << 16 else { return }
            try Task.checkCancellation()
            progress(rest.count)
            try write(rest.bytes)
            rest.bytes.removeAll(keepingCapacity: true)
        }
        progress(rest.count)
        if !rest.bytes.isEmpty { try write(rest.bytes) }
        return rest.count
    }
}
