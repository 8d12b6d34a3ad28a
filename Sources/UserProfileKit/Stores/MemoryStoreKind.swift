import DataStoreCore
import UserProfileDomain

/// The kind of store that keeps records in memory. The address is empty, and each opened store is a new one.
struct MemoryStoreKind: StoreKind {
    let scheme = "memory"
    let isPersistent = false
    let storesIndexes = false

    func address(from text: String) throws(ValidationError) -> String {
        guard text.isEmpty else {
            throw ValidationError(.storageLocation, given: text, rule: "nothing may follow memory:")
        }
        return text
    }

    func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        MemoryDataStore()
    }
}
