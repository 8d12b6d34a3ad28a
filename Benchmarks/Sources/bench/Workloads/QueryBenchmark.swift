import DataStoreLMDB
import Foundation
import UserProfileDomain
import UserProfileKit

/// The benchmark of random queries in this package and in SQLite. A `FilterTranslator` translates the filters for
/// SQLite. Different results are a failure. Set `BENCH_SEED` to repeat the queries of an earlier run.
struct QueryBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let seed = ProcessInfo.processInfo.environment["BENCH_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        FileHandle.standardError.write(Data("queries: seed \(seed)\n".utf8))
        var random = RandomQueries(seed: seed)
        let saved = try (0..<count).map { try random.user($0) }
        let path = stage.newPath()
        let storage = try await UserProfileStorage.open(.lmdb(path))
        try await storage.unitOfWork.perform { work in
            try work.repository(of: User.self).save(contentsOf: saved)
        }
        let peer = try SQLiteProfiles(
            path: stage.newPath() + ".sqlite", indexedBy: ["comparable", "birthday", "monthDay"])
        try peer.put(saved.map { (SQLiteProfile($0), $0.comparableMailAddress) })

        let queries = try (0..<(stage.isQuick ? 500 : 2000)).map { _ in try random.query(of: count) }
        for (number, query) in queries.enumerated() {
            let work = "query \(number) of seed \(seed), \(query)"
            try SQLiteProfiles.compare(peer.list(query), try await storage.users.find(query).entities, work)
            guard try await storage.users.count(where: query.filter) == peer.count(where: query.filter) else {
                throw Failure("\(work): GRDB returned a different count")
            }
        }
        let timed = queries.prefix(200)
        let rounds = try await Rounds(stage.rounds(5)) {
            try await Rounds.seconds { for query in timed { _ = try await storage.users.find(query) } }
        } theirs: {
            try Rounds.secondsOnThread { for query in timed { _ = try peer.list(query) } }
        }
        await storage.close()
        try stage.remove(path)
        try peer.remove(on: stage)
        return [
            Comparison(
                "random queries, \(count) profiles", .microseconds(per: "query"), peer: "GRDB",
                goal: .atMost(0.8), operations: timed.count, rounds)
        ]
    }
}
