import DataStoreCore
import DataStorePlist
import DataStoreTesting
import Foundation
import Testing

@Suite struct PlistDataStoreTests {
    @Test(arguments: DataStoreConformance.persistent)
    func keepsTheContractInXML(_ point: DataStoreConformance) async throws {
        try await point.check { try PlistSubject(.xml) }
    }

    @Test(arguments: DataStoreConformance.persistent)
    func keepsTheContractInBinary(_ point: DataStoreConformance) async throws {
        try await point.check { try PlistSubject(.binary) }
    }
}
