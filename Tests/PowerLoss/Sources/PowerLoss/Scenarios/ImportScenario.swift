import DataStoreCore
import Foundation
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// Imports profiles in several transactions, each of which saves a mark. The steps are the profiles; the last step
/// removes the mark.
struct ImportScenario: Scenario {
    let name: String
    private let profileCount: Int
    private let batchCount: Int
    private let location: @Sendable (_ path: String) -> StorageLocation

    init(
        _ name: String, profileCount: Int, batchCount: Int, _ location: @escaping @Sendable (String) -> StorageLocation
    ) {
        self.name = name
        self.profileCount = profileCount
        self.batchCount = batchCount
        self.location = location
    }

    func prepare(_ folder: String) {}

    func run(_ folder: String) async throws {
        try await importAll(folder)
        Recording.acknowledge(profileCount + 1)
    }

    func stepCount(in folder: String) async throws -> Int {
        let location = location("\(folder)/store")
        guard try await location.kind.exists(at: location.address) else { return 0 }
        let opened = try await location.open()
        let isEmpty = try await closing(opened) { try await opened.read { try $0.collections().isEmpty } }
        // A check reports a data file that is still empty.
        if isEmpty { return 0 }
        let findings = try await location.check()
        if !findings.isEmpty { throw Damage("\(findings)") }
        let store = try await location.open()
        let (users, marks) = try await closing(store) {
            try await store.read { transaction in
                (try transaction.records(in: Scan("users")), try transaction.records(in: Scan("imports")))
            }
        }
        for (index, user) in users.enumerated() {
            guard user.key.id == Self.id(of: index), user.record["mailAddress"] == .string(Self.mail(of: index)) else {
                throw Damage("the user \(user.key.id) is wrong")
            }
        }
        switch marks.first?.record["savedCount"] {
        case nil where users.isEmpty: return 0
        case nil where users.count == profileCount: return profileCount + 1
        case .integer(let count) where count == users.count: return users.count
        case let count:
            throw Damage("the store has \(users.count) users, but the mark is \(count.map { "\($0)" } ?? "missing")")
        }
    }

    func proceed(in folder: String) async throws {
        try await importAll(folder)
        guard try await stepCount(in: folder) == profileCount + 1 else { throw Damage("the import is not complete") }
    }

    private func importAll(_ folder: String) async throws {
        let isInterrupted = try await (1...profileCount).contains(stepCount(in: folder))
        try await UserProfileStorage.open(location("\(folder)/store")).closing { storage in
            let options = ImportOptions(source: "users", format: .csv, resumes: isInterrupted, batchCount: batchCount)
            var line = -1
            _ = try await storage.importUsers(
                options, progress: { mark in Recording.acknowledge(Int(mark.savedCount)) },
                from: {
                    defer { line += 1 }
                    if line < 0 { return [UInt8]("id,mailAddress,birthday\n".utf8) }
                    guard line < profileCount else { return nil }
                    return [UInt8]("\(Self.id(of: line)),\(Self.mail(of: line)),1990-01-02\n".utf8)
                })
        }
    }

    private static func id(of index: Int) -> String { "user-\(100_000 + index)" }
    private static func mail(of index: Int) -> String { "user\(index)@example.com" }
}
