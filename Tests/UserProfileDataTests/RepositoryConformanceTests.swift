import DataStoreTesting
import DataTesting
import Testing
import UserProfileData

@Suite struct RepositoryConformanceTests {
    @Test(
        "A repository over a store fulfills the contract", arguments: StoreLocation.Kind.allCases,
        RepositoryConformance.all)
    func contract(_ kind: StoreLocation.Kind, _ requirement: RepositoryConformance) async throws {
        try await requirement.check { try UserRepository(StoreLocation(kind).open()) }
    }
}
