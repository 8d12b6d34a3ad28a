public import ProfileFormats
import Synchronization
public import UserProfileDomain

extension UserProfileStorage {
    /// Imports profiles from text. It replaces existing users; if an id occurs several times, the last profile is kept.
    ///
    /// Each transaction saves ten thousand profiles, or more if they are read while the previous transaction is being
    /// committed. The maximum is the `batchCount` of the options. Each transaction also saves a checkpoint with the
    /// progress, which is removed when the import is complete. If the import is interrupted, a later import of the same
    /// input with the option `resumes` continues after the checkpoint. It reads the preceding lines again to verify
    /// that they are unchanged.
    ///
    /// - Parameters:
    ///   - options: The options of the import.
    ///   - now: The current time, which determines whether a birthday is in the future.
    ///   - skipped: Receives the error of each skipped line.
    ///   - progress: Receives the progress after each transaction.
    ///   - read: Returns the next bytes of the input, in chunks of any size, and `nil` or an empty array at the end.
    /// - Returns: The numbers of saved and skipped profiles, including those of a resumed import.
    /// - Throws: `ProfileFormatError` if a line is invalid and is not skipped; the profiles before it are saved. Also
    ///   an error if an import cannot be resumed because the beginning of its input has changed, `RepositoryError`,
    ///   `CancellationError` and the errors of `read`; the transactions until then are saved, and an import that
    ///   `resumes` continues after them.
    @discardableResult
    public func importUsers(
        _ options: ImportOptions, now: Instant = .now, skipped: (ProfileFormatError) -> Void = { _ in },
        progress: (ImportCheckpoint) -> Void = { _ in }, from read: () throws -> [UInt8]?
    ) async throws -> ImportCheckpoint {
        let old = options.resumes ? try await unfinishedImport(options) : nil
        return try await withThrowingTaskGroup(of: ImportCheckpoint.self) { group in
            var lines = ImportLines(options, after: old, now: now)
            let saving = Saving()
            var isOver = false
            while !isOver {
                isOver = try lines.readNext(from: read)
                do {
                    while let batch = try lines.nextBatch(while: { saving.isUnderWay }, skipped) {
                        try await save(batch, lines.checkpoint, in: &group, saving, progress)
                    }
                } catch let error as ProfileFormatError {
                    try await save(lines.removeRemaining(), lines.checkpoint, in: &group, saving, progress)
                    try await finishSaving(in: &group, progress)
                    throw error
                }
            }
            try await finishSaving(in: &group, progress)
            let rest = lines.removeRemaining()
            try lines.checkHasResumed()
            try await imports.end(rest, lines.checkpoint.id)
            progress(lines.checkpoint)
            return lines.checkpoint
        }
    }

    /// Starts saving a batch after the previous one is saved.
    private func save(
        _ batch: [User], _ checkpoint: ImportCheckpoint, in group: inout ThrowingTaskGroup<ImportCheckpoint, any Error>,
        _ saving: Saving, _ progress: (ImportCheckpoint) -> Void
    ) async throws {
        try await finishSaving(in: &group, progress)
        guard !batch.isEmpty else { return }
        saving.begin()
        group.addTask { [imports] in
            defer { saving.end() }
            try await imports.save(batch, checkpoint)
            return checkpoint
        }
    }

    private func finishSaving(
        in group: inout ThrowingTaskGroup<ImportCheckpoint, any Error>, _ progress: (ImportCheckpoint) -> Void
    ) async throws {
        if let saved = try await group.next() { progress(saved) }
    }

    /// Returns the progress of an interrupted import, or `nil` if there is none.
    ///
    /// - Parameter options: The options of the import.
    /// - Returns: The checkpoint.
    /// - Throws: `RepositoryError`.
    package func unfinishedImport(_ options: ImportOptions) async throws -> ImportCheckpoint? {
        try await imports.checkpoint(of: options.checkpointID)
    }
}

/// A flag that is set while a batch is being saved.
private final class Saving: Sendable {
    private let state = Atomic(false)

    var isUnderWay: Bool { state.load(ordering: .relaxed) }
    func begin() { state.store(true, ordering: .relaxed) }
    func end() { state.store(false, ordering: .relaxed) }
}
