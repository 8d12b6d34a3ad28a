import DataStoreTesting
import Synchronization
import Testing

/// The suite itself is put to the test: it must pass what keeps the contract, and find each way not to.
@Suite struct DataStoreConformanceTests {
    @Test(arguments: DataStoreConformance.volatile)
    func aStoreThatKeepsTheContractPasses(_ point: DataStoreConformance) async throws {
        try await point.check { VolatileSubject { DictionaryDataStore(nil) } }
    }

    @Test(arguments: DictionaryDataStore.Fault.allCases)
    func everyFaultIsFound(_ fault: DictionaryDataStore.Fault) async throws {
        let isFound = Atomic(false)
        try await withKnownIssue {
            for point in DataStoreConformance.volatile where !isFound.load(ordering: .relaxed) {
                try await point.check { VolatileSubject { DictionaryDataStore(fault) } }
            }
        } matching: { _ in
            isFound.store(true, ordering: .relaxed)
            return true
        }
    }
}
