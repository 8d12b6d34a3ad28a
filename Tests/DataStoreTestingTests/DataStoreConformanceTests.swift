import DataStoreTesting
import Synchronization
import Testing

/// The suite itself is put to the test: it must pass what keeps the contract, and find each way not to.
@Suite struct DataStoreConformanceTests {
    @Test(arguments: DataStoreConformance.volatile + DataStoreConformance.telling)
    func aStoreThatKeepsTheContractPasses(_ point: DataStoreConformance) async throws {
        try await point.check { VolatileSubject { DictionaryDataStore(nil) } }
    }

    @Test(arguments: DictionaryDataStore.Fault.allCases)
    func everyFaultIsFound(_ fault: DictionaryDataStore.Fault) async throws {
        let isFound = Atomic(false)
        try await withKnownIssue {
            let points = DataStoreConformance.volatile + DataStoreConformance.telling
            for point in points where !isFound.load(ordering: .relaxed) {
                try await DataStoreConformance.$patience.withValue(.seconds(5)) {
                    try await point.check { VolatileSubject { DictionaryDataStore(fault) } }
                }
            }
        } matching: { _ in
            isFound.store(true, ordering: .relaxed)
            return true
        }
    }

    /// A store that leaves `observe` as it is keeps the contract, too.
    @Test(arguments: DataStoreConformance.volatile)
    func aStoreThatIsAskedForItsGenerationPasses(_ point: DataStoreConformance) async throws {
        try await point.check { VolatileSubject { PolledDataStore(store: DictionaryDataStore(nil)) } }
    }
}
