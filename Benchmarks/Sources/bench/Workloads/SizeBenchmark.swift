import DataStorePlist
import Foundation
import UserProfileDomain

/// The benchmark of the size of files with profiles. The liblmdb peer stores the same values under the same keys,
/// without field names and without a checksum: a length byte, the mail address, and the birthday.
struct SizeBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let path = try await stage.store(count: count)
        let bare = stage.newPath()
        try stage.makeDirectory(bare)
        let entries = try (0..<count).map { number in
            let user = try Profiles.user(number)
            let address = Array((user.mailAddress?.text ?? "").utf8)
            return EncodedEntry(
                key: Array("users\0\(user.id.text)".utf8),
                value: [UInt8(address.count)] + address + Array((user.birthday?.description ?? "").utf8))
        }
        // Each transaction has the same number of entries as in this package, because a commit leaves pages half full.
        try Rounds.onThread {
            let environment = try BareEnvironment(newAt: bare)
            try environment.put(entries, perTransaction: 10_000)
            guard try BareReader(environment).profiles().count == count else { throw Failure("profiles are missing") }
        }
        let sqlite = try SQLiteProfiles.make(count: count, on: stage)
        let json = try JSONProfiles(count: count, on: stage)
        let plist = try await PlistProfiles.store(count: count, on: stage)
        let sizes: [(String, Goal?, Double)] = [
            ("bare: the same values without names", .atMost(1.5), try stage.byteCount(bare + "/data.mdb")),
            ("GRDB", nil, try stage.byteCount(sqlite.path)),
            ("JSON file", nil, try stage.byteCount(json.path)),
            ("property list", nil, try stage.byteCount(plist.path)),
        ]
        let ours = try stage.byteCount(path + "/data.mdb")
        await plist.close()
        try sqlite.remove(on: stage)
        try [path, bare, json.path].forEach(stage.remove)
        return sizes.map { peer, goal, size in
            Comparison(
                "size of the file, \(count) profiles", .kibibytes, peer: peer, goal: goal, ours: [ours / 1024],
                theirs: [size / 1024])
        }
    }
}
