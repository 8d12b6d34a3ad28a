extension RepositoryError {
    /// The other entity because of which a write was rejected: the one that has the same values of unique fields, e.g.
    /// the user with the same mail address, or the other end of a reference. It is `nil` if the error has another
    /// cause.
    ///
    /// ```swift
    /// do {
    ///     try await notes.save(note)
    /// } catch let error as RepositoryError where error.conflict?.fields == ["title"] {
    ///     print("the title is taken")
    /// }
    /// ```
    public var conflict: DataStoreError.Conflict? { (underlying as? DataStoreError)?.conflict }

    /// Converts an error of a store to a ``RepositoryError``. Returns `CancellationError` and an error of a closure of
    /// the caller unchanged.
    ///
    /// The function is not inlined. Otherwise each call of an asynchronous function would allocate memory for the cast,
    /// even if no error occurs.
    @inline(never)
    package static func mapped(_ error: any Error) -> any Error {
        switch error {
        case let failure as ChangeFailure: failure.cause
        case is CancellationError: error
        default: of(error)
        }
    }

    /// Converts any error to a ``RepositoryError``.
    package static func of(_ error: any Error) -> RepositoryError {
        switch error {
        case let failure as ChangeFailure: of(failure.cause)
        case let error as DataStoreError:
            RepositoryError(code(of: error.code), message: error.description, underlying: error)
        default: RepositoryError(error)
        }
    }

    private static func code(of code: DataStoreError.Code) -> Code {
        switch code {
        case .full: .lackOfResources
        case .corrupted, .unsupportedFormat, .unknownMigration: .corrupted
        case .busy, .unavailable, .indexNotReady, .migrationPending: .unavailable
        case .missingSealingKey, .wrongSealingKey, .sealingKeyUnavailable: .unavailable
        case .notUnique, .brokenReference: .conflict
        case .closed, .misuse, .invalidQuery: .programmingError
        default: .unexpected
        }
    }
}

extension DataStore {
    // The functions are inlined, because each call of a generic one looks up the type of its result.

    /// Runs a closure on one snapshot, and converts its errors with ``RepositoryError/mapped(_:)``.
    @inline(__always)
    package func readConvertingErrors<Result: Sendable>(
        _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await read(body)
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Runs a closure that changes the store, and converts its errors with ``RepositoryError/mapped(_:)``.
    @inline(__always)
    package func writeConvertingErrors<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await write(body)
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}
