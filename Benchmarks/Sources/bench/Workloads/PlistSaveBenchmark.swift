import DataStorePlist
import Foundation
import UserProfileDomain
import UserProfileKit

/// The benchmark of saving mail addresses in a property-list store, one by one.
///
/// The peer has the same entries in memory. For each save it changes one of them, encodes all of them with
/// `PropertyListEncoder`, and replaces the file with direct system calls. `PropertyListSerialization` would be slower.
struct PlistSaveBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let store = try await PlistProfiles.store(count: count, on: stage)
        let profiles = try UserProfileStorage(store: store).profiles
        let peer = BareFile(path: stage.newPath() + ".plist")
        var entries = try PlistEntries(count: count)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let saves = try (0..<500).map { step in
            let number = Int.random(in: 0..<count)
            return (number, try MailAddress("somebody.\(number)@\(step % 2 == 0 ? "post" : "mail").example.com"))
        }

        let saveCount = stage.operations(count < 5000 ? 20 : 4)
        var (mine, other) = (0, 0)
        func next(_ position: inout Int) -> [(Int, MailAddress)] {
            defer { position += saveCount }
            return (0..<saveCount).map { saves[(position + $0) % saves.count] }
        }
        let rounds = try await Rounds(stage.rounds(count < 5000 ? 40 : 15)) {
            let saves = next(&mine)
            return try await Rounds.seconds {
                for (number, address) in saves { try await profiles.saveMailAddress(address, of: Profiles.id(number)) }
            }
        } theirs: {
            let saves = next(&other)
            return try Rounds.secondsOnThread {
                for (number, address) in saves {
                    entries.set(address.text, of: number)
                    try peer.replace(with: encoder.encode(entries))
                }
            }
        }
        await store.close()
        guard try PlistProfiles.root(ofFileAt: store.path) == PlistProfiles.root(ofFileAt: peer.path) else {
            throw Failure("this package and the peer saved different values")
        }
        return [
            Comparison(
                "save a mail address in a plist, \(count) profiles", .microseconds(per: "save"),
                peer: "PropertyListEncoder, write, sync, rename, sync", goal: .atMost(1.2), operations: saveCount,
                rounds)
        ]
    }
}
