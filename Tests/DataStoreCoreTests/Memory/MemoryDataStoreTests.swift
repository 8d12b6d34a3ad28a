import DataStoreCore
import DataStoreTesting
import Testing

@Suite struct MemoryDataStoreTests {
    @Test(
        "The memory store fulfills the contract",
        arguments: DataStoreConformance.volatile + DataStoreConformance.large + DataStoreConformance.scopedNotification
            + DataStoreConformance.writeQueueCases)
    func contract(_ requirement: DataStoreConformance) async throws {
        try await requirement.check(volatile: { MemoryDataStore() })
    }
}
