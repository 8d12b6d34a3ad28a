/// An import of many users in batches. Each batch is saved with a checkpoint of the progress, so that an interrupted
/// import can be resumed.
package struct ImportUseCase: Sendable {
    private let unitOfWork: any UnitOfWork
    private let checkpoints: any Repository<ImportCheckpoint>

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - unitOfWork: Saves users and checkpoints in one transaction, in the store of `checkpoints`.
    ///   - checkpoints: The repository of the checkpoints.
    package init(unitOfWork: any UnitOfWork, checkpoints: any Repository<ImportCheckpoint>) {
        self.unitOfWork = unitOfWork
        self.checkpoints = checkpoints
    }

    /// Returns the checkpoint of an unfinished import, or `nil` if it does not exist.
    package func checkpoint(of id: ImportCheckpoint.ID) async throws -> ImportCheckpoint? {
        try await checkpoints.find(id)
    }

    /// Saves users and the checkpoint in one transaction. A user replaces an existing user with its id. If several
    /// users have the same id, the last one is saved.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - checkpoint: The progress of the import including these users.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    package func save(_ users: [User], _ checkpoint: ImportCheckpoint) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportCheckpoint.self).save(checkpoint)
        }
    }

    /// Saves the last users and deletes the checkpoint, in one transaction.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - id: The finished import.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    package func end(_ users: [User], _ id: ImportCheckpoint.ID) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportCheckpoint.self).delete(id)
        }
    }
}
