import DataStoreCore
import DataStoreTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the mapping of users to records and back.
@Suite struct UserMappingTests {
    private let mapping = UserMapping()

    @Test("A sealed field needs its key")
    func sealed() throws {
        let record: Record = ["mailAddress": .sealed([1, 2, 3])]
        let error = #expect(throws: DataStoreError.self) { try mapping.entity(of: RecordView(record), id: .me) }
        #expect(error?.code == .missingSealingKey && error?.description.contains("mailAddress") == true)
    }

    // The stored form must not change, because existing programs read it.
    @Test(
        "A user is mapped to fields",
        arguments: [
            (nil, nil, [:]),
            (
                "ada@Example.com", nil,
                ["mailAddress": .string("ada@Example.com"), "mailAddress-key": .string("ada@example.com")]
            ),
            (nil, "0001-01-01", ["birthday": .string("0001-01-01")]),
            (
                "\"a b\"@例え.jp", "9999-12-31",
                [
                    "mailAddress": .string("\"a b\"@例え.jp"), "mailAddress-key": .string("\"a b\"@例え.jp"),
                    "birthday": .string("9999-12-31"),
                ]
            ),
        ] as [(String?, String?, Record)])
    func fields(_ mailAddress: String?, _ birthday: String?, _ record: Record) throws {
        let user = User(
            id: .me,
            mailAddress: try mailAddress.map { try MailAddress($0) },
            birthday: try birthday.map { try Birthday($0) })
        #expect(mapping.record(of: user) == record)
        let read = try mapping.entity(of: RecordView(record), id: .me)
        #expect(read == user)
        // Mail addresses are equal regardless of the case of their domain; they are stored as typed.
        #expect(read.mailAddress?.text == mailAddress)
    }

    @Test("The mapping names its collection and fields")
    func names() {
        #expect(mapping.collection == "users")
        #expect(Set(mapping.fieldNames) == ["mailAddress", "mailAddress-key", "birthday"])
    }

    @Test("A save keeps many fields that other programs wrote", .timeLimit(.minutes(1)))
    func manyUnknownFields() throws {
        let unknown = try Record((0..<40_000).map { ("other\($0)", .integer($0)) })
        let user = User(id: .me, birthday: try Birthday("2011-08-01"))
        let record = try mapping.record(of: user, replacing: unknown)
        #expect(record.count == 40_001 && record["other39999"] == .integer(39_999))
        #expect(record["birthday"] == .string("2011-08-01") && record["mailAddress"] == nil)
    }

    @Test("Random users are read back equal")
    func roundTrip() async throws {
        // To reproduce a failure, use `SeededGenerator(seed: …)` with its seed.
        var generator = SeededGenerator()
        let seed = generator.seed
        print("users: seed \(seed)")
        let users = try UserRepository(MemoryDataStore())
        for round in 0..<300 {
            let comment: Comment = "seed \(seed), round \(round)"
            let user = try user(using: &generator)
            try await users.save(user)
            let read = try await users.find(user.id)
            #expect(read == user, comment)
            #expect(read.map { mapping.record(of: $0) } == mapping.record(of: user), comment)
        }
    }

    private func user(using generator: inout SeededGenerator) throws -> User {
        var user = User(id: try UserID(word(using: &generator)))
        if Bool.random(using: &generator) {
            let domains = ["example.com", "Example.COM", "例え.jp", "[192.0.2.1]", "[IPv6:2001:db8::1]"]
            let domain = domains.randomElement(using: &generator) ?? "example.com"
            user.mailAddress = try MailAddress("\(word(using: &generator))@\(domain)")
        }
        if Bool.random(using: &generator) {
            user.birthday = Birthday(
                try CalendarDate(
                    year: .random(in: 1...9999, using: &generator), month: .random(in: 1...12, using: &generator),
                    day: .random(in: 1...28, using: &generator)))
        }
        return user
    }

    private func word(using generator: inout SeededGenerator) -> String {
        let letters = Array("abzAZ09é日😀_+")
        return String(
            (0..<Int.random(in: 1...10, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? "a"
            })
    }
}
