/// An import of many users in batches.
///
/// Each batch is saved in one transaction with an ``ImportCheckpoint``, from which an interrupted import can be
/// resumed.
package struct ImportUseCase: Sendable {
    private let unitOfWork: any UnitOfWork
    private let checkpoints: any Repository<ImportCheckpoint>

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - unitOfWork: The unit of work that saves users and checkpoints in one transaction.
    ///   - checkpoints: The repository of the checkpoints, in the same store as `unitOfWork`.
    package init(unitOfWork: any UnitOfWork, checkpoints: any Repository<ImportCheckpoint>) {
        self.unitOfWork = unitOfWork
        self.checkpoints = checkpoints
    }

    /// Returns the checkpoint of an unfinished import, or `nil` if no such import exists.
    package func checkpoint(of id: ImportCheckpoint.ID) async throws -> ImportCheckpoint? {
        try await checkpoints.find(id)
    }

    /// Saves a batch of users and the checkpoint, in one transaction.
    ///
    /// A user replaces an existing user with the same id. If several users of the batch have the same id, the last one
    /// is saved.
    ///
    /// - Parameters:
    ///   - users: The users of the batch.
    ///   - checkpoint: The progress of the import, including this batch.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is changed.
    package func save(_ users: [User], _ checkpoint: ImportCheckpoint) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportCheckpoint.self).save(checkpoint)
        }
    }

    /// Saves the last batch of users and deletes the checkpoint, in one transaction.
    ///
    /// - Parameters:
    ///   - users: The users of the last batch.
    ///   - id: The id of the checkpoint.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is changed.
    package func end(_ users: [User], _ id: ImportCheckpoint.ID) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportCheckpoint.self).delete(id)
        }
    }
}

/// The progress of an unfinished import of users. An interrupted import resumes from its checkpoint.
///
/// ```swift
/// let result = try await storage.importUsers(options) { try nextBytes() }
/// print(result.savedCount, result.skippedCount)
/// ```
///
/// The checkpoint is saved in the same transaction as the imported users, so it matches the saved users even after a
/// crash.
public struct ImportCheckpoint: Identifiable, Hashable, Sendable {
    /// The name of the imported input: 1 to 200 bytes of UTF-8 without control characters.
    public let id: String

    /// The position up to which the input has been read. All users before this position are saved, and all invalid
    /// lines before it are skipped.
    package var position: InputPosition

    /// The number of users that have been saved.
    public var savedCount: Int64

    /// The number of lines that were skipped because they are invalid.
    public var skippedCount: Int64

    /// Creates a checkpoint.
    ///
    /// - Parameters:
    ///   - id: The name of the imported input: 1 to 200 bytes of UTF-8 without control characters.
    ///   - position: The position up to which the input has been read.
    ///   - savedCount: The number of users that have been saved.
    ///   - skippedCount: The number of lines that were skipped because they are invalid.
    package init(id: String, position: InputPosition = .start, savedCount: Int64 = 0, skippedCount: Int64 = 0) {
        self.id = id
        self.position = position
        self.savedCount = savedCount
        self.skippedCount = skippedCount
    }
}
