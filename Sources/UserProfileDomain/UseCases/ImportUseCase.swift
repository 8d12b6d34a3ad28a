/// An import of many users in batches. Each batch is saved with a mark of the progress, so that an interrupted import
/// can be resumed.
package struct ImportUseCase: Sendable {
    private let unitOfWork: any UnitOfWork
    private let marks: any Repository<ImportMark>

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - unitOfWork: Saves users and marks in one transaction, in the store of `marks`.
    ///   - marks: The repository of the marks.
    package init(unitOfWork: any UnitOfWork, marks: any Repository<ImportMark>) {
        self.unitOfWork = unitOfWork
        self.marks = marks
    }

    /// Returns the mark of an unfinished import, or `nil` if it does not exist.
    package func mark(of id: ImportMark.ID) async throws -> ImportMark? { try await marks.find(id) }

    /// Saves users and the mark in one transaction. A user replaces an existing user with its id. If several users have
    /// the same id, the last one is saved.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - mark: The progress of the import including these users.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    package func save(_ users: [User], _ mark: ImportMark) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportMark.self).save(mark)
        }
    }

    /// Saves the last users and deletes the mark, in one transaction.
    ///
    /// - Parameters:
    ///   - users: The users.
    ///   - id: The finished import.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    package func end(_ users: [User], _ id: ImportMark.ID) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportMark.self).delete(id)
        }
    }
}
