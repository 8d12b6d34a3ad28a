import Foundation
import UserProfileKit

/// A temporary LMDB store with many profiles.
struct BenchStore {
    let location: StorageLocation
    private let directory: URL
    private let profileCount: Int

    init(profileCount: Int) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "bench-studio-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        location = .lmdb(directory.appending(path: "store").path)
        self.profileCount = profileCount
    }

    /// Opens the store with all of its profiles, which are imported in large transactions.
    func open() async throws -> UserProfileStorage {
        let storage = try await UserProfileStorage.open(location)
        var number = 0
        try await storage.importUsers(ImportOptions(source: "profiles", format: .csv)) {
            guard number < profileCount else { return nil }
            var lines = number == 0 ? "id,mailAddress,birthday\n" : ""
            for _ in 0..<min(10_000, profileCount - number) {
                lines += line(number)
                number += 1
            }
            return Array(lines.utf8)
        }
        try await storage.records.buildIndexes()
        return storage
    }

    private func line(_ number: Int) -> String {
        // Consecutive numbers have unrelated birthdays, because 40,507 and the number of days are coprime.
        let day = number * 40_507 % (70 * 12 * 28)
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let birthday = "\(1950 + day / 336)-\(digits(1 + day / 28 % 12))-\(digits(1 + day % 28))"
        return "user-\(number),somebody.\(number)@mail.example.com,\(birthday)\n"
    }

    func remove() {
        // A directory that remains is in the temporary directory.
        try? FileManager.default.removeItem(at: directory)
    }
}
