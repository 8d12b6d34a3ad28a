import DataStoreCore
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the mapping of store errors to domain errors.
@Suite struct DataStoreRepositoryFailureTests {
    /// All operations of a repository.
    enum Operation: CaseIterable {
        case find, save, update, delete, deleteAll, list

        func run(on users: UserRepository) async throws {
            switch self {
            case .find: _ = try await users.find(.me)
            case .save: try await users.save(User(id: .me))
            case .update: try await users.update(.me) { $0 = User(id: .me) }
            case .delete: try await users.delete(.me)
            case .deleteAll: try await users.deleteAll()
            case .list: _ = try await users.list()
            }
        }
    }

    private struct StrangeError: Error, Equatable {}

    @Test(
        "An error of the store has a code, a message and the cause",
        arguments: Operation.allCases,
        [
            (.full, .lackOfResources), (.busy, .unavailable), (.unavailable, .unavailable),
            (.corrupted, .corrupted), (.unsupportedFormat, .corrupted),
            (.notAStore, .unexpected), (.invalidKey, .unexpected), (.invalidRecord, .unexpected),
            (.readOnly, .unexpected), (.unsupportedFileSystem, .unexpected), (.closed, .programmingError),
            (.misuse, .programmingError), (.invalidQuery, .programmingError),
            (.inputOutput, .unexpected),
        ] as [(DataStoreError.Code, RepositoryError.Code)])
    func codes(
        _ operation: Operation, _ codes: (store: DataStoreError.Code, repository: RepositoryError.Code)
    ) async throws {
        let cause = DataStoreError(codes.store, "for a test", operation: "try", path: "/somewhere", errno: 5)
        let error = await #expect(throws: RepositoryError.self) {
            try await operation.run(on: try UserRepository(FaultyDataStore(error: cause)))
        }
        #expect(error?.code == codes.repository)
        #expect(error?.message == cause.description)
        let underlying = try #require(error?.underlying as? DataStoreError)
        #expect(underlying.code == codes.store)
        #expect(underlying.errno == 5)
    }

    @Test("Cancellation is passed on", arguments: Operation.allCases)
    func cancellation(_ operation: Operation) async throws {
        await #expect(throws: CancellationError.self) {
            try await operation.run(on: try UserRepository(FaultyDataStore(error: CancellationError())))
        }
    }

    @Test("Errors of other types are wrapped", arguments: Operation.allCases)
    func otherErrors(_ operation: Operation) async throws {
        let error = await #expect(throws: RepositoryError.self) {
            try await operation.run(on: try UserRepository(FaultyDataStore(error: StrangeError())))
        }
        #expect(error?.code == .unexpected)
        #expect(error?.underlying as? StrangeError == StrangeError())
    }

    @Test("A cancelled task changes nothing", arguments: [Operation.save, .update, .delete, .deleteAll])
    func cancelledTask(_ operation: Operation) async throws {
        let users = try UserRepository(MemoryDataStore())
        let me = User(id: .me, birthday: try Birthday("2000-01-01"))
        try await users.save(me)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { try await operation.run(on: users) }
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        let listed = try await users.list()
        #expect(listed == [me])
    }
}
