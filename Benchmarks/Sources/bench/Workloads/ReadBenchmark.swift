import DataStoreCore
import Foundation
import UserProfileDomain
import UserProfileKit

/// The benchmark of reading profiles by id, in random order. This package reads through the use case, from a task and
/// from the main actor. As peers, liblmdb reads bytes, GRDB a profile of strings, and `UserDefaults` and a JSON file in
/// memory one string.
struct ReadBenchmark {
    /// The maximum number of profiles for peers that keep all profiles in one file.
    private static let most = 100_000

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let (path, copy) = (try await stage.store(count: count), try await stage.store(count: count))
        let storage = try await UserProfileStorage.open(.lmdb(path), buildsIndexes: false)
        let numbers = Profiles.randomNumbers(stage.operations(100_000), of: count)
        let ids = try numbers.map(Profiles.id)
        let users = storage.users
        func compare(
            _ peer: String, _ goal: Goal?, _ theirs: () async throws -> Double
        ) async throws -> Comparison {
            let rounds = try await Rounds(stage.rounds(15)) {
                try await Self.readInTask(ids, users)
            } theirs: {
                try await theirs()
            }
            return Comparison(
                "read a profile, \(count) profiles", .nanoseconds(per: "read"), peer: peer, goal: goal,
                operations: ids.count, rounds)
        }
        var comparisons = [try await bare(copy, numbers, users, compare)]
        let main = try await Rounds(stage.rounds(15)) {
            try await Self.readOnMainActor(ids, users)
        } theirs: {
            try await Self.readInTask(ids, users)
        }
        comparisons.append(
            Comparison(
                "read on the main actor, \(count) profiles", .nanoseconds(per: "read"), peer: "from a task",
                goal: .atMost(1.1), operations: ids.count, main))
        comparisons.append(try await sqlite(numbers, users, compare))
        if count <= Self.most { comparisons += try await inMemory(numbers, users, compare) }
        await storage.close()
        try [path, copy].forEach(stage.remove)
        return comparisons
    }

    /// Reads profiles on the threads of the concurrency runtime and returns the time in seconds.
    @concurrent
    static func readInTask(_ ids: [UserID], _ users: any Repository<User>) async throws -> Double {
        try await read(ids, users)
    }

    @MainActor
    static func readOnMainActor(_ ids: [UserID], _ users: any Repository<User>) async throws -> Double {
        try await read(ids, users)
    }

    /// Reads profiles in the isolation of the caller and returns the time in seconds.
    private static func read(_ ids: [UserID], _ users: any Repository<User>) async throws -> Double {
        var byteCount = 0
        let seconds = try await Rounds.seconds {
            for id in ids {
                guard let user = try await users.find(id) else { throw Failure("\(id)") }
                byteCount += user.id.text.utf8.count
            }
        }
        guard byteCount > 0 else { throw Failure("nothing was read") }
        return seconds
    }

    // MARK: Peers

    private typealias Compare = (String, Goal?, () async throws -> Double) async throws -> Comparison

    private func bare(
        _ path: String, _ numbers: [Int], _ users: any Repository<User>, _ compare: Compare
    ) async throws -> Comparison {
        let reader = try BareReader(BareEnvironment(path: path))
        try await Self.compareResults(numbers.prefix(1000), users, reader)
        let ids = try numbers.map { try Profiles.id($0).text }
        var byteCount = 0
        let comparison = try await compare("bare: renew, get, copy, reset", .atMost(1.5)) {
            try Rounds.secondsOnThread { for id in ids { try reader.read(id) { byteCount += $0.count } } }
        }
        guard byteCount > 0 else { throw Failure("the peer read nothing") }
        return comparison
    }

    private func sqlite(_ numbers: [Int], _ users: any Repository<User>, _ compare: Compare) async throws -> Comparison
    {
        let peer = try SQLiteProfiles.make(count: count, on: stage)
        for number in numbers.prefix(1000) {
            let user = try await users.find(Profiles.id(number))
            try SQLiteProfiles.compare(
                [peer.read("user-\(number)")].compactMap(\.self), [user].compactMap(\.self), "read")
        }
        // The peer is twenty times as slow, so fewer reads suffice.
        let ids = numbers.prefix(max(numbers.count / 5, 1)).map { "user-\($0)" }
        let comparison = try await compare("GRDB", .atMost(0.05)) {
            let seconds = try Rounds.secondsOnThread {
                for id in ids { guard try peer.read(id) != nil else { throw Failure(id) } }
            }
            return seconds * Double(numbers.count) / Double(ids.count)
        }
        try peer.remove(on: stage)
        return comparison
    }

    private func inMemory(
        _ numbers: [Int], _ users: any Repository<User>, _ compare: Compare
    ) async throws -> [Comparison] {
        let defaults = try PlistProfiles.defaults(count: count, on: stage)
        let keys = numbers.map(PlistProfiles.mailAddressKey)
        try await PlistProfiles.compare(UserUseCase(users: users), defaults, numbers: numbers.prefix(1000))
        let ofDefaults = try await compare("UserDefaults.string(forKey:)", .atMost(0.7)) {
            try Rounds.secondsOnThread {
                for key in keys { guard defaults.string(forKey: key) != nil else { throw Failure(key) } }
            }
        }
        let json = try JSONProfiles(count: count, on: stage)
        try json.compare(await users.list())
        let texts = numbers.map { "user-\($0)" }
        let ofJSON = try await compare("JSON file, all in memory", nil) {
            try Rounds.secondsOnThread {
                for id in texts { guard json.mailAddress(of: id) != nil else { throw Failure(id) } }
            }
        }
        let memory = try UserProfileStorage(store: try await Profiles.memoryStore(count: count))
        guard try await memory.users.list() == users.list() else { throw Failure("the memory store differs") }
        let ids = try numbers.map(Profiles.id)
        let ofMemory = try await compare("memory store", nil) { try await Self.readInTask(ids, memory.users) }
        await memory.close()
        return [ofDefaults, ofJSON, ofMemory]
    }

    /// Throws ``Failure`` unless this package and the peers return the same results.
    static func compareResults(
        _ numbers: some Sequence<Int>, _ users: any Repository<User>, _ reader: BareReader
    ) async throws {
        for number in numbers {
            guard let user = try await users.find(Profiles.id(number)), user == (try Profiles.user(number)) else {
                throw Failure("profile \(number) differs from the saved one")
            }
            var exists = false
            try reader.read(Profiles.id(number).text) { bytes in
                exists = String(decoding: bytes, as: UTF8.self).contains("somebody.\(number)@mail.example.com")
            }
            guard exists else { throw Failure("the peer does not find profile \(number)") }
        }
    }
}
