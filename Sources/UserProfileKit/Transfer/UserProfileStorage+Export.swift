public import ProfileFormats
public import UserProfileDomain

extension UserProfileStorage {
    /// Exports profiles as text, in the order of their ids, as they were at one moment.
    ///
    /// No more than some of the text is in memory. While it runs, an LMDB store that is written to keeps what is
    /// replaced, so `write` should not wait for long.
    ///
    /// - Parameters:
    ///   - format: how they are written.
    ///   - filter: which profiles; nil for all.
    ///   - progress: is told how many there are so far, each time before `write` is called.
    ///   - write: takes the next bytes.
    /// - Returns: how many there are.
    /// - Throws: what `write` threw, as it is; `RepositoryError`; `CancellationError`.
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
