import DataStoreMemory
import DataStoreTesting
import Testing

@Suite struct MemoryDataStoreTests {
    @Test(
        "The memory store fulfills the contract",
        arguments: DataStoreConformance.volatile + DataStoreConformance.large + DataStoreConformance.telling)
    func contract(_ point: DataStoreConformance) async throws {
        try await point.check(volatile: { MemoryDataStore() })
    }
}
