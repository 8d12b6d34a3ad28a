import DataStoreLMDB
import Foundation
import UserProfileDomain
import UserProfileKit

/// The benchmark of opening a storage, reading one profile and closing the storage, as a short-lived program does.
struct OpenBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let (path, copy) = (try await stage.indexedStore(count: count), try await stage.store(count: count))
        let sqlite = try SQLiteProfiles.make(count: count, on: stage)
        let json = try JSONProfiles(count: count, on: stage)
        try sqlite.close()
        let number = count / 2
        let (id, text) = (try Profiles.id(number), try Profiles.id(number).text)
        let address = try Profiles.user(number).mailAddress?.text
        let repeats = stage.operations(100)
        func ours() async throws -> Double {
            try await Rounds.seconds {
                for _ in 0..<repeats {
                    let storage = try await UserProfileStorage.open(.lmdb(path))
                    guard try await storage.users.find(id)?.mailAddress?.text == address else { throw Failure(text) }
                    await storage.close()
                }
            }
        }
        func comparison(
            _ peer: String, _ repeatCount: Int, _ theirs: () throws -> Bool
        ) async throws -> Comparison {
            let rounds = try await Rounds(stage.rounds(9), ours: ours) {
                try Rounds.secondsOnThread {
                    for _ in 0..<repeatCount { guard try theirs() else { throw Failure("\(peer): \(text)") } }
                } * Double(repeats) / Double(repeatCount)
            }
            return Comparison(
                "open, read one, close, \(count) profiles", .microseconds(per: "time"), peer: peer, operations: repeats,
                rounds)
        }
        let comparisons = [
            try await comparison("bare liblmdb", repeats) {
                var exists = false
                try BareReader(BareEnvironment(path: copy)).read(text) { exists = $0.count > 0 }
                return exists
            },
            try await comparison("GRDB", repeats) {
                let peer = try SQLiteProfiles(path: sqlite.path)
                defer { closeQuietly(peer) }
                return try peer.read(text)?.mailAddress == address
            },
            try await comparison("JSON file, read whole", max(repeats / 50, 1)) {
                try JSONProfiles(path: json.path).mailAddress(of: text) == address
            },
        ]
        try [path, copy, json.path].forEach(stage.remove)
        try sqlite.remove(on: stage)
        return comparisons
    }

    /// Closes the database. An error is reported, because it invalidates the measurement.
    private func closeQuietly(_ peer: SQLiteProfiles) {
        do {
            try peer.close()
        } catch {
            FileHandle.standardError.write(Data("warning: GRDB cannot close: \(error)\n".utf8))
        }
    }
}
