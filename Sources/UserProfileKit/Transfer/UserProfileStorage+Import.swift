public import ProfileFormats
import Synchronization
public import UserProfileDomain

extension UserProfileStorage {
    /// Imports profiles from text. A user who is there already is replaced; of several with one id the last counts.
    ///
    /// They are saved in transactions of ten thousand profiles and more, up to the `batchCount` of the options: as
    /// many as are read while the transaction before is made durable. With each a mark is saved that says how far it
    /// has come, until the import is over: where it was interrupted, by whatever, an import of the same input goes on
    /// there if the options say `resumes`. It reads what comes before again, to see that it is the same.
    ///
    /// - Parameters:
    ///   - options: how to import.
    ///   - now: the present, which decides whether a birthday is still to come.
    ///   - skipped: is told of each line that is left out.
    ///   - progress: is told how far it has come, after each transaction.
    ///   - read: gives the next bytes of the input, in pieces of any size, and nil or none at its end.
    /// - Returns: how far it has come: how many were saved and skipped, also by the import that was interrupted.
    /// - Throws: `ProfileFormatError` if a line is invalid and is not skipped; the profiles before it are saved. Also
    ///   ``ResumeError``, `RepositoryError`, `CancellationError` and the errors of `read`; the transactions until then
    ///   are saved, and an import that `resumes` continues after them.
    @discardableResult
    public func importUsers(
        _ options: ImportOptions, now: Instant = .now, skipped: (ProfileFormatError) -> Void = { _ in },
        progress: (ImportMark) -> Void = { _ in }, from read: () throws -> [UInt8]?
    ) async throws -> ImportMark {
        let old = options.resumes ? try await unfinishedImport(options) : nil
        return try await withThrowingTaskGroup(of: ImportMark.self) { group in
            var lines = ImportLines(options, after: old, now: now)
            let saving = Saving()
            var isOver = false
            while !isOver {
                isOver = try lines.takeNext(from: read)
                do {
                    while let batch = try lines.nextBatch(while: { saving.isUnderWay }, skipped) {
                        try await save(batch, lines.mark, in: &group, saving, progress)
                    }
                } catch let error as ProfileFormatError {
                    try await save(lines.takeRest(), lines.mark, in: &group, saving, progress)
                    try await finishSaving(in: &group, progress)
                    throw error
                }
            }
            try await finishSaving(in: &group, progress)
            let rest = lines.takeRest()
            try lines.checkHasResumed()
            try await imports.end(rest, lines.mark.id)
            progress(lines.mark)
            return lines.mark
        }
    }

    /// Begins to save a batch when the one before is saved.
    private func save(
        _ batch: [User], _ mark: ImportMark, in group: inout ThrowingTaskGroup<ImportMark, any Error>,
        _ saving: Saving, _ progress: (ImportMark) -> Void
    ) async throws {
        try await finishSaving(in: &group, progress)
        guard !batch.isEmpty else { return }
        saving.begin()
        group.addTask { [imports] in
            defer { saving.end() }
            try await imports.save(batch, mark)
            return mark
        }
    }

    private func finishSaving(
        in group: inout ThrowingTaskGroup<ImportMark, any Error>, _ progress: (ImportMark) -> Void
    ) async throws {
        if let saved = try await group.next() { progress(saved) }
    }

    /// How far an import has come that was interrupted, or nil where there is none.
    ///
    /// - Parameter options: which import.
    /// - Returns: the mark.
    /// - Throws: `RepositoryError`.
    package func unfinishedImport(_ options: ImportOptions) async throws -> ImportMark? {
        try await imports.mark(of: options.markID)
    }
}

/// Whether a batch is being saved.
private final class Saving: Sendable {
    private let state = Atomic(false)

    var isUnderWay: Bool { state.load(ordering: .relaxed) }
    func begin() { state.store(true, ordering: .relaxed) }
    func end() { state.store(false, ordering: .relaxed) }
}
