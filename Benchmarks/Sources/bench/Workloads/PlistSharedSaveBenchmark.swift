import DataStorePlist
import Foundation
import UserProfileDomain
import UserProfileKit

/// The benchmark of saving mail addresses in a property-list store from many concurrent tasks. The peer sets them in
/// `UserDefaults` one by one and writes each with `synchronize`.
struct PlistSharedSaveBenchmark {
    private static let taskCount = 64

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let store = try await PlistProfiles.store(count: count, on: stage)
        let storage = try UserProfileStorage(store: store)
        let defaults = try PlistProfiles.defaults(count: count, on: stage)

        let saveCount = stage.operations(1000)
        var (mine, other) = (0, 0)
        // Each profile gets a different address in each pass and each round.
        func next(_ round: inout Int) throws -> [(Int, MailAddress)] {
            defer { round += 1 }
            return try (0..<saveCount).map { step in
                (step % count, try MailAddress("somebody.\(step)@mail.\(round).example.com"))
            }
        }
        let rounds = try await Rounds(stage.rounds(9)) {
            let saves = try next(&mine)
            return try await Rounds.seconds { try await save(saves, storage.profiles) }
        } theirs: {
            let saves = try next(&other)
            return try Rounds.secondsOnThread {
                for (number, address) in saves {
                    defaults.set(address.text, forKey: PlistProfiles.mailAddressKey(number))
                    guard defaults.synchronize() else { throw Failure("the suite cannot be written") }
                }
            }
        }
        try await PlistProfiles.compare(storage.profiles, defaults, numbers: 0..<count)
        await store.close()
        return [
            Comparison(
                "\(saveCount) saves in a plist, \(Self.taskCount) tasks", .perSecond("saves"),
                peer: "set, synchronize", goal: .atLeast(5), operations: saveCount, rounds)
        ]
    }

    /// One task makes all saves of a profile, so that they are ordered.
    private func save(_ saves: [(Int, MailAddress)], _ profiles: UserUseCase) async throws {
        try await withThrowingTaskGroup { group in
            for task in 0..<Self.taskCount {
                group.addTask {
                    for (number, address) in saves where number % Self.taskCount == task {
                        try await profiles.saveMailAddress(address, of: Profiles.id(number))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
