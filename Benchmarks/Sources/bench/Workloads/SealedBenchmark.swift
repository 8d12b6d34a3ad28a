import Crypto
import DataStoreCore
import Foundation
import UserProfileDomain
import UserProfileKit
import UserProfileSealing

/// The benchmark of users whose mail address and birthday are sealed, in an LMDB store. The peers are a store without
/// sealed fields, and the calls of swift-crypto alone, below which no such store can be.
struct SealedBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let key = try SealingKey.random(number: 1)
        let users = try (0..<count).map { try Profiles.user($0) }
        let load = try await Rounds(stage.rounds(5)) {
            try await self.load(users, key)
        } theirs: {
            try await self.load(users, nil)
        }
        let selected = Profiles.randomNumbers(stage.operations(50_000), of: count).map { users[$0] }
        let paths = (stage.newPath(), stage.newPath())
        let (sealed, plain) = (try await open(paths.0, key), try await open(paths.1, nil))
        for storage in [sealed, plain] { try await storage.users.save(contentsOf: users) }
        let read = try await Rounds(stage.rounds(11)) {
            try await self.read(selected, sealed)
        } theirs: {
            try await self.read(selected, plain)
        }
        let find = try await Rounds(stage.rounds(11)) {
            try await self.find(selected, sealed)
        } theirs: {
            try await self.find(selected, plain)
        }
        let openings = try await Rounds(stage.rounds(11)) {
            try await self.read(selected, sealed)
        } theirs: {
            try await self.decrypt(selected, isFinding: false)
        }
        let blinds = try await Rounds(stage.rounds(11)) {
            try await self.find(selected, sealed)
        } theirs: {
            try await self.decrypt(selected, isFinding: true)
        }
        for storage in [sealed, plain] { await storage.close() }
        try [paths.0, paths.1].forEach(stage.remove)
        return [
            Comparison(
                "read a sealed user, \(count) profiles", .microseconds(per: "read"), peer: "unsealed",
                operations: selected.count, read),
            Comparison(
                "find a sealed user by mail address, \(count) profiles", .microseconds(per: "find"), peer: "unsealed",
                operations: selected.count, find),
            Comparison(
                "read a sealed user, \(count) profiles", .microseconds(per: "read"), peer: "its cryptography alone",
                operations: selected.count, openings),
            Comparison(
                "find a sealed user by mail address, \(count) profiles", .microseconds(per: "find"),
                peer: "its cryptography alone", operations: selected.count, blinds),
            Comparison(
                "load \(count) sealed users", .perSecond("users"), peer: "unsealed", goal: .atLeast(0.1),
                operations: count, load),
        ]
    }

    private func open(_ path: String, _ key: SealingKey?) async throws -> UserProfileStorage {
        try await UserProfileStorage.open(
            .lmdb(path), sealingUsers: key == nil ? [] : [.searchable(\.mailAddress), .opaque(\.birthday)],
            keys: key.map { key in .source(SealingKeySource { _ in key }) })
    }

    private func load(_ users: [User], _ key: SealingKey?) async throws -> Double {
        let path = stage.newPath()
        let storage = try await open(path, key)
        let seconds = try await Rounds.seconds { try await storage.users.save(contentsOf: users) }
        await storage.close()
        try stage.remove(path)
        return seconds
    }

    private func read(_ users: [User], _ storage: UserProfileStorage) async throws -> Double {
        try await Rounds.seconds {
            for user in users {
                guard try await storage.users.find(user.id) == user else { throw Failure("\(user.id) is another one") }
            }
        }
    }

    /// Opens two values of the size of each user's fields, and computes a blind if `isFinding`. Nothing else that a
    /// store does is included.
    private func decrypt(_ users: [User], isFinding: Bool) async throws -> Double {
        let key = SymmetricKey(size: .bits256)
        let code = HMAC<SHA256>(key: key)
        let header = [UInt8](repeating: 1, count: 22)
        let sealed = try users.map { user in
            let texts = [user.mailAddress?.text ?? "", user.birthday?.text ?? ""].map { Array($0.utf8) }
            let authenticated = header + user.id.text.utf8
            let boxes = try texts.map { try AES.GCM.seal($0, using: key, authenticating: authenticated) }
            return (texts[0], user.id.text, boxes.map { Array($0.combined ?? Data()) })
        }
        return try await Rounds.seconds {
            for (text, id, boxes) in sealed {
                for box in boxes {
                    let opened = try AES.GCM.open(
                        AES.GCM.SealedBox(combined: box), using: key, authenticating: header + id.utf8)
                    guard opened.count > 0 else { throw Failure("the value of \(id) is empty") }
                }
                guard isFinding else { continue }
                var code = code
                code.update(data: text)
                guard code.finalize().byteCount == 32 else { throw Failure("the blind of \(id) has another size") }
            }
        }
    }

    private func find(_ users: [User], _ storage: UserProfileStorage) async throws -> Double {
        try await Rounds.seconds {
            for user in users {
                guard let address = user.mailAddress else { throw Failure("\(user.id) has no mail address") }
                guard try await storage.profiles.users(withMailAddress: address).count == 1 else {
                    throw Failure("\(user.id) is not found")
                }
            }
        }
    }
}
