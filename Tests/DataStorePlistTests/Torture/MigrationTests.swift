import DataStoreCore
import DataStorePlist
import DataStoreQueries
import DataStoreTesting
import Foundation
import Testing
import TortureKit

/// Tests of migrations of a file that several programs use.
@Suite struct MigrationTests {
    @Test("A killed migration is complete or has no effect, and an older program stops writing")
    func kills() async throws {
        let findings = try await MigrationRun(PlistSubject(), recordCount: 300).findings(killCount: 4)
        #expect(findings == [])
    }
}
