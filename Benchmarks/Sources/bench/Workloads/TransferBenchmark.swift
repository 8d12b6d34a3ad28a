import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// The benchmark of importing profiles from a file into a new LMDB store, and of exporting them to a file. The peer
/// writes the same users directly to the store in one transaction.
struct TransferBenchmark {
    private static let pieceByteCount = 1 << 18

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let users = try (0..<count).map { try Profiles.user($0) }.sorted { $0.id < $1.id }
        var comparisons: [Comparison] = []
        for format in ProfileFormat.allCases {
            let file = stage.newPath()
            let filled = stage.newPath()
            try await text(of: users, format).write(to: URL(filePath: file))
            let storage = try await UserProfileStorage.open(.lmdb(filled))
            _ = try await importFile(file, format, to: storage)
            let imported = try await Rounds(stage.rounds(5)) {
                try await measured { try await importFile(file, format, to: $0) }
            } theirs: {
                try await put(users)
            }
            let exported = try await Rounds(stage.rounds(5)) {
                let target = stage.newPath()
                let seconds = try await Rounds.seconds { try await export(to: target, format, from: storage) }
                guard FileManager.default.contentsEqual(atPath: file, andPath: target) else {
                    throw Failure("the exported users differ from the imported ones")
                }
                try stage.remove(target)
                return seconds
            } theirs: {
                try await put(users)
            }
            await storage.close()
            try stage.remove(filled)
            try stage.remove(file)
            for (name, rounds) in [("import", imported), ("export", exported)] {
                comparisons.append(
                    Comparison(
                        "\(name) \(count) users, \(format.rawValue)", .perSecond("users"),
                        peer: "put by the store", goal: .atLeast(0.334), operations: count, rounds))
            }
        }
        return comparisons
    }

    private func text(of users: [User], _ format: ProfileFormat) async throws -> Data {
        let storage = try await UserProfileStorage.open(.memory)
        try await storage.unitOfWork.perform { try $0.repository(of: User.self).save(contentsOf: users) }
        let text = Mutex(Data())
        try await storage.exportUsers(format) { bytes in text.withLock { $0.append(contentsOf: bytes) } }
        return text.withLock { $0 }
    }

    private func importFile(
        _ path: String, _ format: ProfileFormat, to storage: UserProfileStorage
    ) async throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        try await storage.importUsers(ImportOptions(source: path, format: format)) {
            try file.read(upToCount: TransferBenchmark.pieceByteCount).map { Array($0) }
        }
        try file.close()
    }

    /// Exports profiles to a file, including the flush that the program performs.
    private func export(to path: String, _ format: ProfileFormat, from storage: UserProfileStorage) async throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw Failure("\(path) could not be created")
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try await storage.exportUsers(format) { try file.write(contentsOf: $0) }
        try file.synchronize()
        try file.close()
    }

    private func put(_ users: [User]) async throws -> Double {
        let mapping = User.mapping()
        let path = stage.newPath()
        stage.settle()
        let store = try LMDBDataStore(path: path)
        let seconds = try await Rounds.seconds {
            try await store.write { transaction in
                for user in users {
                    try transaction.put(
                        mapping.record(of: user), for: Key(collection: mapping.collection, id: user.id.text))
                }
            }
        }
        await store.close()
        try stage.remove(path)
        return seconds
    }

    private func measured(_ body: (UserProfileStorage) async throws -> Void) async throws -> Double {
        let path = stage.newPath()
        stage.settle()
        let storage = try await UserProfileStorage.open(.lmdb(path))
        let seconds = try await Rounds.seconds { try await body(storage) }
        guard try await storage.users.count() == count else { throw Failure("not all users were imported") }
        await storage.close()
        try stage.remove(path)
        return seconds
    }
}
