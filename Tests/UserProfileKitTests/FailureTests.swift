import DataStoreCore
import ForecastAPI
import ForecastHTTP
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@Suite struct FailureTests {
    @Test(
        "The kind of a failure follows from the error that caused it",
        arguments: [
            (DataStoreError(.notAStore, ""), Failure.Kind.cannotCreate), (DataStoreError(.full, ""), .inputOutput),
            (DataStoreError(.misuse, ""), .unexpected), (DataStoreError(.busy, ""), .busy),
            (DataStoreError(.readOnly, ""), .noPermission),
            (DataStoreError(.corrupted, ""), .inputOutput), (DataStoreError(.invalidKey, ""), .badInput),
            (DataStoreError(.closed, ""), .unexpected),
            (DataStoreError(.inputOutput, "", errno: EACCES), .noPermission),
            (DataStoreError(.inputOutput, "", errno: ENOTDIR), .cannotCreate),
            (DataStoreError(.inputOutput, "", errno: EIO), .inputOutput),
        ])
    func causes(_ error: DataStoreError, _ kind: Failure.Kind) {
        #expect(Failure(error).kind == kind)
        let outer = RepositoryError(.unexpected, message: "it failed", underlying: error)
        #expect(Failure(outer).kind == kind)
        #expect(Failure(outer).message == "it failed")
        #expect(Failure(outer).causes.count == 2)
    }

    @Test("Errors of the domain, of HTTP and of other libraries have a kind")
    func otherErrors() {
        #expect(Failure(ValidationError(.userID, given: "", rule: "")).kind == .badInput)
        #expect(Failure(CancellationError()).kind == .cancelled)
        #expect(throws: QueryError.self) {
            do {
                _ = try Filter<User>(parsing: "birthday")
            } catch {
                #expect(Failure(error).kind == .badInput)
                throw error
            }
        }
        #expect(Failure(RepositoryError(.unavailable, message: "")).kind == .unavailable)
        #expect(
            Failure(RepositoryError(.notFound, message: "", underlying: FetchFailure.status(404))).kind == .notFound)
        let broken = FetchFailure.transport("lost", CocoaError(.featureUnsupported), isTemporary: true)
        let failure = Failure(RepositoryError(.unavailable, message: "", underlying: broken))
        #expect(failure.kind == .unavailable && failure.causes.count == 3)
        let unreadable = ValidationError(.weatherDocument, given: "", rule: "")
        #expect(Failure(RepositoryError(.unexpected, message: "", underlying: unreadable)).kind == .badInput)
        #expect(Failure(CocoaError(.featureUnsupported)).kind == .unexpected)
    }
}
