public import ProfileFormats
public import UserProfileDomain

extension UserProfileStorage {
    /// Exports profiles as text, in the order of their ids, as they were at one moment.
    ///
    /// No more than some of the text is in memory. While it runs, an LMDB store that is written to keeps what is replaced, so
    /// `write` should not wait for long.
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
        _ format: ProfileFormat, where filter: Filter<User>? = nil, progress: (Int) -> Void = { _ in },
        to write: ([UInt8]) throws -> Void
    ) async throws -> Int {
        let writer = ProfileWriter(format)
        var (bytes, count): ([UInt8], Int) = ([], 0)
        writer.begin(&bytes)
        try await users.forEach(Query(where: filter)) { user in
            writer.append(user, to: &bytes)
            count += 1
            guard bytes.count >= 1 << 16 else { return }
            try Task.checkCancellation()
            progress(count)
            try write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        progress(count)
        if !bytes.isEmpty { try write(bytes) }
        return count
    }
}
