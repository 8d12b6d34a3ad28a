import DataStoreCore
import DataStoreQueries
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// Tests of mail addresses that are spelled differently but equal.
@Suite struct UniqueMailAddressTests {
    private static let spellings = ["a@exämple.de", "a@xn--exmple-cua.de", "\"a\"@exämple.DE"]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func location(_ kind: String) throws -> StorageLocation {
        try StorageLocation("\(kind):\(directory.path("store"))")
    }

    @Test("Each spelling of an address finds its user, and is rejected for another user", arguments: ["lmdb", "plist"])
    func spellings(_ kind: String) async throws {
        let location = try location(kind)
        try await UserProfileStorage.open(location, isMailAddressUnique: true).closing { storage in
            try await storage.profiles.saveMailAddress(MailAddress(Self.spellings[1]))
        }
        // This program does not declare the unique field.
        try await UserProfileStorage.open(location).closing { storage in
            for spelling in Self.spellings {
                let address = try MailAddress(spelling)
                #expect(try await storage.profiles.users(withMailAddress: address).map(\.id) == [.me], "\(spelling)")
                let error = await #expect(throws: RepositoryError.self, "\(spelling)") {
                    try await storage.profiles.saveMailAddress(address, of: UserID("other"))
                }
                #expect(error?.code == .conflict, "\(spelling)")
                let conflict = try #require(error?.conflict)
                #expect(conflict.collection == "users" && conflict.id == "me" && conflict.fields == ["mailAddress"])
                // The user itself may change the spelling.
                try await storage.profiles.saveMailAddress(address)
                #expect(try await storage.profiles.mailAddress()?.text == spelling)
            }
            #expect(try await storage.users.count() == 1)
        }
    }

    /// Writes users without comparable forms, as a program without the mapping does.
    private func fill(_ location: StorageLocation, _ addresses: [String]) async throws {
        let store = try await location.kind.open(at: location.address, report: nil)
        try await store.write { transaction in
            for (number, address) in addresses.enumerated() {
                try transaction.put(
                    ["mailAddress": .string(address)], for: Key(collection: "users", id: "user \(number)"))
            }
        }
        await store.close()
    }

    @Test("Users without comparable forms are found after the migration", arguments: ["lmdb", "plist"], [3, 1500])
    func migration(_ kind: String, _ count: Int) async throws {
        let location = try location(kind)
        let others = (1..<count).map { "other\($0)@example.com" }
        try await fill(location, ["\"a\"@xn--exmple-cua.de"] + others)
        for _ in 0..<2 {
            try await UserProfileStorage.open(location, isMailAddressUnique: true).closing { storage in
                for spelling in Self.spellings {
                    let found = try await storage.profiles.users(withMailAddress: MailAddress(spelling))
                    #expect(found.map(\.id.text) == ["user 0"], "\(spelling)")
                }
                await #expect(throws: RepositoryError.self) {
                    try await storage.profiles.saveMailAddress(MailAddress("a@exämple.de"))
                }
                #expect(try await storage.users.count() == count)
                let names = try await storage.records.indexes().filter { $0.collection == "users" }.map(\.name)
                #expect(Set(names) == ["birthday", "birthday:date.monthDay@1", "mailAddress-key"])
            }
        }
        #expect(try await location.check() == [])
    }

    @Test("Existing users with equal addresses are named with the next command", arguments: ["lmdb", "plist"])
    func duplicates(_ kind: String) async throws {
        let location = try location(kind)
        try await fill(location, Self.spellings + ["other@example.com"])
        let error = await #expect(throws: DataStoreError.self) {
            try await UserProfileStorage.open(location, isMailAddressUnique: true)
        }
        let message = "\(try #require(error))"
        #expect(error?.code == .notUnique)
        let sentence = #"the users "user 0", "user 1" and "user 2" have the same mail address"#
        #expect(message.contains(sentence), "\(message)")
        #expect(message.contains("`profile-cli set-mail ADDRESS --user ID`"), "\(message)")
        try await UserProfileStorage.open(location).closing { storage in
            try await storage.users.delete(UserID("user 0"))
            try await storage.profiles.saveMailAddress(MailAddress("b@exämple.de"), of: UserID("user 1"))
        }
        try await UserProfileStorage.open(location, isMailAddressUnique: true).closing { storage in
            let users = try await storage.profiles.users(withMailAddress: MailAddress(Self.spellings[0]))
            #expect(users.map(\.id.text) == ["user 2"])
        }
    }

    @Test("A record that is written without a mapping, and one that a migration changes, have the comparable form")
    func otherWrites() async throws {
        let location = try location("lmdb")
        try await UserProfileStorage.open(location, isMailAddressUnique: true).closing { storage in
            try await storage.records.write { transaction in
                for (id, address) in [("a", "\"a\"@EXAMPLE.com"), ("b", "b@example.com")] {
                    try transaction.put(["mailAddress": .string(address)], for: Key(collection: "users", id: id))
                }
            }
            let found = try await storage.profiles.users(withMailAddress: MailAddress("a@example.com"))
            #expect(found.map(\.id.text) == ["a"])
        }
        let migration = Migration.convert("move", of: "users", "mailAddress") { value in
            value.string.map { .string($0.replacing("EXAMPLE.com", with: "EXAMPLE.org")) }
        }
        try await UserProfileStorage.open(location, migrations: [migration]).closing { storage in
            let found = try await storage.profiles.users(withMailAddress: MailAddress("a@example.org"))
            #expect(found.map(\.id.text) == ["a"])
            #expect(try await storage.profiles.users(withMailAddress: MailAddress("a@example.com")).isEmpty)
        }
        #expect(try await location.check() == [])
    }

    @Test("A person may change an address in a property list without its comparable form")
    func editedFile() async throws {
        let location = try location("plist")
        try await UserProfileStorage.open(location, isMailAddressUnique: true).closing { storage in
            try await storage.profiles.saveMailAddress(MailAddress("old@example.com"))
        }
        let text = try String(contentsOfFile: location.address, encoding: .utf8)
        let edited = text.replacing(
            "<string>old@example.com</string>", with: "<string>new@EXAMPLE.com</string>", maxReplacements: 1)
        try edited.write(toFile: location.address, atomically: true, encoding: .utf8)
        try await UserProfileStorage.open(location).closing { storage in
            let address = try MailAddress("new@example.com")
            #expect(try await storage.profiles.users(withMailAddress: address).map(\.id) == [.me])
            await #expect(throws: RepositoryError.self) {
                try await storage.profiles.saveMailAddress(address, of: UserID("other"))
            }
            #expect(try await storage.profiles.users(withMailAddress: MailAddress("old@example.com")).isEmpty)
        }
    }

    // MARK: Own entities

    struct Team: Codable, Identifiable, Sendable {
        struct Member: Codable, Hashable, Sendable {
            var mail: MailAddress?
        }

        var id: Int
        var owner: MailAddress?
        var deputy = Member()
        var guests: [MailAddress] = []
        var members: [Member] = []
    }

    @Test("Addresses of own entities are compared in their comparable form", arguments: ["lmdb", "plist"])
    func ownEntities(_ kind: String) async throws {
        let entities = [EntityType(Team.self, in: "teams", indexes: [.unique("owner"), .on("deputy.mail")])]
        let location = try location(kind)
        try await UserProfileStorage.open(location, entities: entities).closing { storage in
            let teams = try storage.repository(of: Team.self)
            let address = try MailAddress(Self.spellings[1])
            let member = Team.Member(mail: address)
            try await teams.save(Team(id: 1, owner: address))
            try await teams.save(Team(id: 2, deputy: member))
            try await teams.save(Team(id: 3, guests: [try MailAddress("x@example.com"), address]))
            try await teams.save(Team(id: 4, members: [Team.Member(), member]))
            for spelling in Self.spellings {
                let address = try MailAddress(spelling)
                func ids(_ filter: Filter<Team>) async throws -> [Int] {
                    try await teams.find(Query(where: filter)).entities.map(\.id)
                }
                #expect(try await ids(\.owner == address) == [1])
                #expect(try await ids(\.deputy.mail == address) == [2])
                #expect(try await ids(\.guests == address) == [3])
                #expect(try await ids(.any(\.members, \.mail == address)) == [4])
                let query = Query<Team>(where: \.owner == address)
                #expect(try await teams.explain(query).index == "owner-key")
                let error = await #expect(throws: RepositoryError.self) {
                    try await teams.save(Team(id: 9, owner: address))
                }
                #expect(error?.code == .conflict)
            }
            let saved = try await teams.find(1)
            #expect(saved?.owner?.text == Self.spellings[1])
            // A field that is removed no longer finds the entity.
            try await teams.save(Team(id: 1))
            #expect(try await teams.count(where: \.owner == address) == 0)
        }
    }
}

extension UniqueMailAddressTests.Team: Queryable {
    static let fields = EntityFields(of: UniqueMailAddressTests.Team.self)
}

extension UniqueMailAddressTests.Team.Member: Queryable {
    static let fields = EntityFields(of: UniqueMailAddressTests.Team.Member.self)
}
