import DataStoreCore
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@testable import ProfileCommands

/// Tests of the results of `store check` and `store backup`, in this process.
@Suite struct StoreReportTests {
    /// A kind of store that exists and cannot be opened.
    private struct UnopenedKind: DataStoreCore.StoreKind {
        let scheme = "unopened"

        func address(from text: String) -> String { text }
        func open(at address: String, report: (@Sendable (String) -> Void)?) throws -> any DataStore {
            throw DataStoreError(.full, "no memory is left")
        }
        func dataFile(at address: String) -> String? { "/dev/null" }
    }

    @Test("The result of a clean check is printed although the records cannot be counted")
    func cleanCheck() async throws {
        let kinds: [any DataStoreCore.StoreKind] = [UnopenedKind()]
        let configuration = try Configuration.read(program: "profile-cli", store: "unopened:x", kinds: kinds)
        var lines: [String] = []
        let session = Session(
            program: ProfileProgram(stores: kinds), configuration: configuration, format: .json, source: nil,
            isVerbose: false, writeLines: { lines += $0 })
        await #expect(throws: DataStoreError.self) { try await StoreCheck.report([], in: session) }
        #expect(lines.count == 1 && lines[0].contains(#""isClean":true"#), "\(lines)")
    }

    @Test("Backups within one second are numbered, and the oldest are removed first")
    func numberedBackups() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "backups-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let location = StorageLocation.plist(directory.appending(path: "store").path)
        try await UserProfileStorage.open(location).closing { try await $0.users.save(User(id: .me)) }
        let path = directory.appending(path: "daily").path
        let name = "\(path)-20261127T141526Z"
        for expected in [name, "\(name)-2"] {
            #expect(try await StoreBackup.backUp(location, to: name, numbering: true) == expected)
        }
        await #expect(throws: DataStoreError.self) {
            try await StoreBackup.backUp(location, to: name, numbering: false)
        }
        let others = ["\(name)-10", "\(path)-20261127T141527Z", "\(path)-20261127", "\(name)-x"]
        for other in others { try FileManager.default.copyItem(atPath: name, toPath: other) }
        // With a slash at the end of the path, backups are within the directory.
        #expect(try StoreBackup.removeOld(of: "\(path)/", keeping: 0).isEmpty)
        #expect(try StoreBackup.removeOld(of: path, keeping: 2) == [name, "\(name)-2"])
        #expect(others.allSatisfy(FileManager.default.fileExists(atPath:)))
    }
}
