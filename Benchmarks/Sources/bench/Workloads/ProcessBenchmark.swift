import Foundation
import UserProfileDomain

/// The benchmark of reading one mail address in a new process. This package runs `profile-cli get-mail`, and the peer
/// is the SQLite shell with a statement.
struct ProcessBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        guard let program = stage.program else {
            FileHandle.standardError.write(
                Data("skipping the measurement of processes; pass the path of profile-cli with --cli\n".utf8))
            return []
        }
        let path = try await stage.store(count: count)
        let sqlite = try SQLiteProfiles.make(count: count, on: stage)
        try sqlite.close()
        let id = try Profiles.id(count / 2).text
        let ours = [program, "get-mail", "--store", "lmdb:\(path)", "--user", id]
        let theirs = ["/usr/bin/sqlite3", sqlite.path, "SELECT mailAddress FROM users WHERE id = '\(id)'"]
        guard try await output(of: ours) == output(of: theirs) else {
            throw Failure("profile-cli and sqlite3 printed different results")
        }
        let repeats = stage.operations(20)
        func run(_ command: [String]) async throws -> Double {
            try await Rounds.seconds { for _ in 0..<repeats { _ = try await output(of: command) } }
        }
        let rounds = try await Rounds(stage.rounds(15)) {
            try await run(ours)
        } theirs: {
            try await run(theirs)
        }
        try stage.remove(path)
        try sqlite.remove(on: stage)
        return [
            Comparison(
                "get-mail, whole process, \(count) profiles", .microseconds(per: "process"), peer: "sqlite3 shell",
                goal: .atMost(1.6), operations: repeats, rounds)
        ]
    }

    /// Returns the output of a program, which must exit successfully.
    private func output(of command: [String]) async throws -> String {
        let (text, status) = try await Process.output(of: URL(filePath: command[0]), Array(command.dropFirst()))
        guard status == 0, !text.isEmpty else {
            throw Failure("\(command[0]) ended with \(status)")
        }
        return text
    }
}
