import DataStorePlist
import Foundation
import UserProfileDomain
import UserProfileKit

/// The benchmark of reading profiles by id from a property-list store, in random order through the use case. The peer
/// reads only the mail address, from `UserDefaults`.
struct PlistReadBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let store = try await PlistProfiles.store(count: count, on: stage)
        let storage = try UserProfileStorage(store: store)
        let users = storage.users
        let defaults = try PlistProfiles.defaults(count: count, on: stage)
        let numbers = Profiles.randomNumbers(stage.operations(50_000), of: count)
        try await PlistProfiles.compare(storage.profiles, defaults, numbers: numbers.prefix(1000))
        // The pause lets the file's timestamps age. While they are recent, the store cannot trust them and checks the
        // file more thoroughly.
        try await Task.sleep(for: .milliseconds(200))

        let ids = try numbers.map(Profiles.id)
        let keys = numbers.map(PlistProfiles.mailAddressKey)
        var (ownByteCount, byteCount) = (0, 0)
        let rounds = try await Rounds(stage.rounds(15)) {
            try await Rounds.seconds {
                for id in ids {
                    guard let user = try await users.find(id) else { throw Failure("\(id)") }
                    ownByteCount += user.id.text.utf8.count
                }
            }
        } theirs: {
            try Rounds.secondsOnThread {
                for key in keys {
                    guard let text = defaults.string(forKey: key) else { throw Failure(key) }
                    byteCount += text.utf8.count
                }
            }
        }
        guard ownByteCount > 0, byteCount > 0 else { throw Failure("nothing was read") }
        await store.close()
        return [
            Comparison(
                "read a profile of a plist, \(count) profiles", .nanoseconds(per: "read"),
                peer: "UserDefaults.string(forKey:)", goal: .atMost(0.7), operations: ids.count, rounds)
        ]
    }
}
