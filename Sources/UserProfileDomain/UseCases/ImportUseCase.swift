/// Saves many users in batches, each with a mark of how far it has come, so that an import that was interrupted can go
/// on.
package struct ImportUseCase: Sendable {
    private let unitOfWork: any UnitOfWork
    private let marks: any Repository<ImportMark>

    /// Works on a unit of work and a repository of the same store.
    ///
    /// - Parameters:
    ///   - unitOfWork: saves users and marks together.
    ///   - marks: where marks are kept.
    package init(unitOfWork: any UnitOfWork, marks: any Repository<ImportMark>) {
        self.unitOfWork = unitOfWork
        self.marks = marks
    }

    /// The mark of an import that was begun and not ended, or nil where there is none.
    package func mark(of id: ImportMark.ID) async throws -> ImportMark? { try await marks.find(id) }

    /// Saves users and the mark, all or none. A user who is there already is replaced; of two with one id the last
    /// counts.
    ///
    /// - Parameters:
    ///   - users: who.
    ///   - mark: how far the import has come with them.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    package func save(_ users: [User], _ mark: ImportMark) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportMark.self).save(mark)
        }
    }

    /// Saves the last users and takes the mark away, all or none.
    ///
    /// - Parameters:
    ///   - users: who.
    ///   - id: which import is over.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    package func end(_ users: [User], _ id: ImportMark.ID) async throws {
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: users)
            try work.repository(of: ImportMark.self).delete(id)
        }
    }
}
