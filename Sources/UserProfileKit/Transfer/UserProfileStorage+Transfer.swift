import Synchronization

extension UserProfileStorage {
    /// Imports users from text. An imported user replaces an existing user with the same id. If several users in the
    /// input have the same id, the last one is saved.
    ///
    /// Each transaction except the last saves 10,000 users, or more if the previous transaction is still being
    /// committed, but never more than the `batchCount` of the options. Each transaction also saves a checkpoint with
    /// the progress, except that the last transaction of a complete import deletes the checkpoint.
    ///
    /// If the import is interrupted, import the same input again with the option `resumes`. The import then verifies
    /// that the lines before the checkpoint are unchanged, and continues after them.
    ///
    /// - Parameters:
    ///   - options: The options of the import.
    ///   - now: The current time. A birthday must not be after it.
    ///   - skipped: A closure that receives the error of each skipped line.
    ///   - progress: A closure that receives the progress after each transaction.
    ///   - read: A closure that returns the next bytes of the input, in chunks of any size, and `nil` or an empty array
    ///     at the end.
    /// - Returns: The numbers of saved users and skipped lines, including those of a resumed import.
    /// - Throws: `ProfileFormatError` if a line is invalid and the options do not skip it, or if it prevents reading
    ///   the following lines. `DataStoreError` with the code `unsupported` if the import cannot be resumed because no
    ///   import of the input was interrupted or the input has changed.
    ///   `RepositoryError` if the store fails. The error of `read`. `CancellationError` if the task is cancelled. In
    ///   each case the transactions before the error stay saved.
    @discardableResult
    public func importUsers(
        _ options: ImportOptions, now: Instant = .now, skipped: (ProfileFormatError) -> Void = { _ in },
        progress: (ImportCheckpoint) -> Void = { _ in }, from read: () throws -> [UInt8]?
    ) async throws -> ImportCheckpoint {
        let old = options.resumes ? try await unfinishedImport(options) : nil
        if options.resumes, old == nil { throw DataStoreError.cannotResume(after: nil) }
        return try await withThrowingTaskGroup(of: ImportCheckpoint.self) { group in
            var lines = ImportLines(options, after: old, now: now)
            let isSaving = Atomic(false)
            func finishSaving() async throws {
                if let saved = try await group.next() { progress(saved) }
            }
            // Waits until the previous batch is saved, and then starts to save the next batch in a task of the group.
            func save(_ batch: [User]) async throws {
                try await finishSaving()
                guard !batch.isEmpty else { return }
                isSaving.store(true, ordering: .relaxed)
                group.addTask { @Sendable [unitOfWork, checkpoint = lines.checkpoint] in
                    defer { isSaving.store(false, ordering: .relaxed) }
                    try await unitOfWork.perform { work in
                        try work.repository(of: User.self).save(contentsOf: batch)
                        try work.repository(of: ImportCheckpoint.self).save(checkpoint)
                    }
                    return checkpoint
                }
            }
            do {
                func isBusy() -> Bool { isSaving.load(ordering: .relaxed) }
                while let batch = try lines.nextBatch(from: read, while: isBusy, skipped) { try await save(batch) }
            } catch let error as ProfileFormatError {
                try await save(lines.removeRemaining())
                try await finishSaving()
                throw error
            }
            try await finishSaving()
            let rest = lines.removeRemaining()
            try lines.checkHasResumed()
            try await unitOfWork.perform { [id = lines.checkpoint.id] work in
                try work.repository(of: User.self).save(contentsOf: rest)
                try work.repository(of: ImportCheckpoint.self).delete(id)
            }
            progress(lines.checkpoint)
            return lines.checkpoint
        }
    }

    /// Returns the checkpoint of an interrupted import, or `nil` if no import of the input was interrupted.
    ///
    /// - Parameter options: The options of the import. Their `source` identifies the input.
    /// - Returns: The checkpoint.
    /// - Throws: `RepositoryError` if the store cannot be read.
    package func unfinishedImport(_ options: ImportOptions) async throws -> ImportCheckpoint? {
        let id = options.checkpointID
        return try await unitOfWork.snapshot { try $0.repository(of: ImportCheckpoint.self).find(id) }
    }

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
        var first: [UInt8] = []
        format.begin(&first)
        let hasWritten = Atomic(false)
        let none = (bytes: first, count: 0, isFirst: true)
        let rest = try await users.reduce(Query(where: filter), into: none) { rest, user in
            format.append(user, to: &rest.bytes)
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
