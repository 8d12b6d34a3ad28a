import DataStoreMemory
import DataStoreTesting
import Testing

@Suite struct MemoryDataStoreTests {
    @Test(arguments: DataStoreConformance.volatile + DataStoreConformance.large + DataStoreConformance.telling)
    func keepsTheContract(_ point: DataStoreConformance) async throws {
        try await point.check { VolatileSubject { MemoryDataStore() } }
    }
}
