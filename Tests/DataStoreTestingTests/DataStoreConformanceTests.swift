import DataStoreCore
import DataStoreTesting
import Testing

/// Tests of the conformance suite itself. The suite must accept a store that fulfills the contract, and detect each
/// violation.
@Suite struct DataStoreConformanceTests {
    @Test(
        "A store that fulfills the contract passes each check",
        arguments: DataStoreConformance.volatile + DataStoreConformance.scopedNotification)
    func soundStore(_ requirement: DataStoreConformance) async throws {
        try await requirement.check(volatile: { DictionaryDataStore(nil) })
    }

    @Test("The check of its requirement finds each fault of a store", arguments: DictionaryDataStore.Fault.allCases)
    func faults(_ fault: DictionaryDataStore.Fault) async throws {
        let requirements = DataStoreConformance.volatile + DataStoreConformance.scopedNotification
        let requirement = try #require(requirements.first { $0.testDescription == fault.requirement })
        await withKnownIssue {
            try await DataStoreConformance.$timeout.withValue(.seconds(1)) {
                try await requirement.check(volatile: { DictionaryDataStore(fault) })
            }
        }
    }

    /// A store with the default implementation of `observe` fulfills the contract, too.
    @Test(
        "A store with the default implementation of observation passes each check of updates",
        arguments: DataStoreConformance.updateCases)
    func polledStore(_ requirement: DataStoreConformance) async throws {
        try await requirement.check(volatile: { PolledDataStore(store: DictionaryDataStore(nil)) })
    }

    @Test("A failing record is printed as its fields, without long data")
    func testDescription() throws {
        let record: Record = [
            "title": .string("Kyoto \"1\""), "days": .integer(3), "tags": .array([.bool(true), .real(0.5)]),
            "inner": .record(["n": .integer(1)]), "data": .data(Array(repeating: 7, count: 1000)),
            "text": .string(String(repeating: "a", count: 1000)),
        ]
        let description = String(describingForTest: record)
        #expect(
            description == """
                {data: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]… (1000 bytes), days: 3, tags: [true, 0.5], \
                text: "\(String(repeating: "a", count: 50))"… (1000 bytes), inner: {n: 1}, title: "Kyoto \\"1\\""}
                """)
    }
}
