import DataStoreLMDB
import DataStoreTesting
import Testing

@Suite struct LMDBDataStoreTests {
    @Test(arguments: DataStoreConformance.persistent)
    func keepsTheContract(_ point: DataStoreConformance) async throws {
        try await point.check { try LMDBSubject() }
    }
}
