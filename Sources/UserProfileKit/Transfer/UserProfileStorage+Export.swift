import DataStoreCore
public import ProfileFormats
import Synchronization
public import UserProfileDomain

extension UserProfileStorage {
    /// Exports the users of one snapshot as text, in the order of their ids.
    ///
    /// The text is written in chunks, so memory use is bounded. While the export runs, an LMDB store cannot reuse the
    /// space of replaced and deleted records. `write` should therefore not block for long.
    ///
    /// - Parameters:
    ///   - format: The format of the text.
    ///   - filter: The condition that exported users meet, or `nil` to export all users.
    ///   - progress: A closure that receives the number of exported users before each call of `write`.
    ///   - write: A closure that receives the next bytes of the text.
    /// - Returns: The number of exported users.
    /// - Throws: The error of `write`, `RepositoryError` if the store cannot be read, or `CancellationError` if the
    ///   task is cancelled.
    @discardableResult
    public func exportUsers(
        _ format: ProfileFormat, where filter: Filter<User>? = nil, progress: @Sendable (Int) -> Void = { _ in },
        to write: @Sendable ([UInt8]) throws -> Void
    ) async throws -> Int {
        let writer = ProfileWriter(format)
        var first: [UInt8] = []
        writer.begin(&first)
        let hasWritten = Atomic(false)
        let none = (bytes: first, count: 0, isFirst: true)
        let rest = try await users.reduce(Query(where: filter), into: none) { rest, user in
            writer.append(user, to: &rest.bytes)
            rest.count += 1
            guard rest.bytes.count >= 1 << 16 else { return }
            try Task.checkCancellation()
            progress(rest.count)
            // A store on a read-only file system repeats a read if another program changes the store meanwhile.
            if hasWritten.exchange(true, ordering: .relaxed), rest.isFirst {
                throw DataStoreError(.busy, "another program changed the store during the export; retry")
            }
            rest.isFirst = false
            try write(rest.bytes)
            rest.bytes.removeAll(keepingCapacity: true)
        }
        progress(rest.count)
        if !rest.bytes.isEmpty { try write(rest.bytes) }
        return rest.count
    }
}
