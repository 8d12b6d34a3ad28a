#if Sealing
import DataStoreCore
import DataStoreQueries
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

@testable import UserProfileSealing

/// Tests of storages with sealed fields, on each kind of store that outlives its process.
@Suite struct SealedStorageTests {
    @Test(
        "Sealed entities are saved, found, updated and unique, and the files contain no plain text",
        arguments: Kind.allCases)
    func roundTrip(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let ada = try Self.user("ada", "Ada.Lovelace@example.com")
        let patient = try Self.patient(1)
        try await setup.with(setup.keys) { storage in
            try await storage.users.save(ada)
            #expect(try await storage.users.find(ada.id) == ada)
            let spelled = try MailAddress("Ada.Lovelace@EXAMPLE.com")
            #expect(try await storage.users.find(Query(where: \.mailAddress == spelled)).entities == [ada])
            #expect(try await storage.users.find(Query(where: \.mailAddress != spelled)).entities.isEmpty)
            #expect(try await storage.users.find(Query(where: .isIn(\.mailAddress, [spelled]))).entities == [ada])
            #expect(try await storage.users.find(Query(where: \.birthday == nil)).entities.isEmpty)
            #expect(try await storage.users.list(after: nil, limit: nil) == [ada])
            #expect(try await storeCode { try await storage.users.save(Self.user("bob", spelled.text)) } == .notUnique)
            let explained = try await storage.users.explain(Query(where: \.mailAddress == spelled))
            #expect(explained.index == "mailAddress-key" && explained.entityCount <= 1)

            let patients = try storage.repository(of: Patient.self)
            try await patients.save(patient)
            #expect(try await patients.find(1) == patient)
            #expect(try await patients.find(Query(where: \.number == patient.number)).entities == [patient])
            #expect(try await patients.find(Query(where: \.address.city == "Oslo")).entities == [patient])
            try await patients.update(1) { $0?.ward = "east" }
            #expect(try await storeCode { try await patients.save(Self.patient(2, patient.mail.text)) } == .notUnique)
        }
        // Another process finds the same entities.
        try await setup.with(setup.keys) { storage in
            #expect(try await storage.users.find(ada.id) == ada)
            let found = try await storage.repository(of: Patient.self).find(Query(where: \.mail == patient.mail))
            #expect(found.entities.map(\.ward) == ["east"])
        }
        for text in ["Lovelace", "1999-12-31", "patient1@", "fractured", "Elm Street", patient.number.uuidString] {
            #expect(try !setup.contains(text), "\(text)")
        }
        #expect(try setup.contains("Oslo"))
    }

    @Test("Conditions and sorts that blinds cannot answer are misuse", arguments: Kind.allCases)
    func misuse(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        try await setup.with(setup.keys) { storage in
            let mail = try MailAddress("a@example.com")
            let birthday = try Birthday("1999-12-31")
            for query in [
                Query<User>(where: .begins(\.mailAddress, with: "a")), Query(where: \.birthday == birthday),
                Query(where: \.birthday < birthday), Query(where: \.birthday != nil, sort: [.ascending(\.mailAddress)]),
            ] {
                #expect(try await storeCode { _ = try await storage.users.find(query) } == .misuse)
            }
            #expect(try await storage.users.find(Query(where: \.mailAddress == mail)).entities.isEmpty)
        }
        #expect(
            try await storeCode {
                let entity = EntityType(
                    Patient.self, in: "patients", indexes: [.on(\.ward)], sealing: [.opaque(\.ward)])
                try await UserProfileStorage.open(setup.location, entities: [entity]).closing { _ in }
            } == .misuse)
    }

    @Test("Existing values are sealed when a program declares it, and unsealed on request", arguments: Kind.allCases)
    func turningOnAndOff(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let count = kind == .lmdb ? 1200 : 20
        let patients = try (0..<count).map { try Self.patient($0) }
        let users = try (0..<20).map { try Self.user("user\($0)", "user\($0)@example.com") }
        try await setup.with(nil, isSealed: false) { storage in
            try await storage.repository(of: Patient.self).save(contentsOf: patients)
            try await storage.users.save(contentsOf: users)
        }
        #expect(try setup.contains("user7@") && setup.contains("Elm Street 7"))
        try await setup.with(setup.keys) { storage in
            #expect(try await storage.repository(of: Patient.self).list(after: nil, limit: nil) == patients)
            let mail = try #require(users[7].mailAddress)
            #expect(try await storage.users.find(Query(where: \.mailAddress == mail)).entities == [users[7]])
            #expect(try await storeCode { try await storage.users.save(Self.user("x", mail.text)) } == .notUnique)
        }
        // The entries of an index, which are keys within the pages of an LMDB file, contain the values, too.
        if kind == .lmdb { try await setup.location.compact() }
        for text in ["@example.com", "Elm Street", "fractured", "1999-12-31"]
            + stride(from: 0, to: count, by: 40).map({ patients[$0].number.uuidString })
        {
            #expect(try !setup.contains(text), "\(text)")
        }
        #expect(try await setup.location.check { _, _ in }.isEmpty)
        let copy = StorageLocation.plist(setup.directory.path("copy.plist"))
        try await setup.location.copy(to: copy)
        try await UserProfileStorage.open(copy, keys: .source(setup.keys)).closing { storage in
            #expect(try await storage.users.find(users[3].id) == users[3])
            let findings = try await storage.records.verifySealedFields(with: setup.keys)
            #expect(findings.isEmpty)
        }
        try await setup.with(setup.keys, isSealed: false) { storage in
            try await storage.records.unseal(["mailAddress", "birthday"], of: "users", with: setup.keys)
            try await storage.records.unseal(
                ["mail", "number", "diagnosis", "address.street"], of: "patients", with: setup.keys)
        }
        try await setup.with(nil, isSealed: false) { storage in
            #expect(try await storage.repository(of: Patient.self).list(after: nil, limit: nil) == patients)
            let mail = try #require(users[7].mailAddress)
            #expect(try await storage.users.find(Query(where: \.mailAddress == mail)).entities == [users[7]])
        }
    }

    @Test(
        "A program that was opened before fields were sealed neither saves plain values nor finds nothing",
        arguments: Kind.allCases)
    func olderProgram(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let ada = try Self.user("ada", "ada@example.com")
        let mail = try #require(ada.mailAddress)
        try await setup.with(nil, isSealed: false) { running in
            try await running.users.save(ada)
            try await setup.with(setup.keys) { _ in }
            let bob = try Self.user("bob", "bob@example.com")
            for body in [
                { _ = try await running.users.find(Query(where: \.mailAddress == mail)) },
                { _ = try await running.users.find(ada.id) }, { try await running.users.save(bob) },
            ] as [() async throws -> Void] {
                let code = try await storeCode(body)
                #expect(code == .missingSealingKey)
            }
            try await running.users.save(User(id: UserID("nobody")))
            try await running.users.delete(ada.id)
        }
        try await setup.with(setup.keys) { storage in
            let ids = try await storage.users.list(after: nil, limit: nil).map(\.id.text)
            #expect(ids == ["nobody"])
            // A program without sealed fields has neither a sealing mapping nor another store.
            let plain = try UserProfileStorage(store: MemoryDataStore())
            #expect(plain.users is DataStoreRepository<UserMapping> && !(plain.records.store is SealedStore))
        }
    }

    @Test("A migration without the key renames a sealed field, which stays sealed", arguments: Kind.allCases)
    func rename(_ kind: Kind) async throws {
        struct Renamed: Codable, Identifiable, Sendable, Queryable {
            let id: Int
            var contact: MailAddress
            static let fields = EntityFields(of: Renamed.self)
        }
        let setup = try Setup(kind)
        let patient = try Self.patient(1)
        try await setup.with(setup.keys) { try await $0.repository(of: Patient.self).save(patient) }
        let migrations: [Migration] = [
            .renameField("contact", of: "patients", "mail", to: "contact"),
            .renameField("contact key", of: "patients", "mail-key", to: "contact-key"),
        ]
        let entity = EntityType(
            Renamed.self, in: "patients", indexes: [.unique(\.contact)], sealing: [.searchable(\.contact)])
        try await UserProfileStorage.open(setup.location, migrations: migrations).closing { storage in
            let names = try await storage.records.sealedFieldNames(of: ["patients"])
            #expect(names.contains("patients.contact") && !names.contains("patients.mail"))
        }
        try await UserProfileStorage.open(
            setup.location, entities: [entity], migrations: migrations, keys: .source(setup.keys)
        ).closing { storage in
            let patients = try storage.repository(of: Renamed.self)
            #expect(try await patients.find(1)?.contact == patient.mail)
            #expect(try await patients.find(Query(where: \.contact == patient.mail)).entities.map(\.id) == [1])
            #expect(
                try await storeCode { try await patients.save(Renamed(id: 2, contact: patient.mail)) } == .notUnique)
            #expect(try await storage.records.verifySealedFields(with: setup.keys).isEmpty)
        }
        #expect(try !setup.contains("patient1@"))
    }

    @Test("A sealed setting is read with the key, and others also without it", arguments: Kind.allCases)
    func settings(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let (token, theme) = (Field("api.token", default: ""), Field("theme", default: "light"))
        func with(_ keys: SealingKeySource?, _ body: (UserProfileStorage) async throws -> Void) async throws {
            try await UserProfileStorage.open(
                setup.location, sealingSettings: ["api.token"], keys: keys.map { .source($0) }
            ).closing(after: body)
        }
        try await with(setup.keys) { storage in
            let settings = try storage.settings()
            try await settings.set("first secret", for: token)
            #expect(try await settings.update(token) { $0 += "!" } == "first secret!")
            try await storage.unitOfWork.perform { work in
                let settings = try work.settings()
                try settings.set("second \(settings[token])", for: token)
            }
            #expect(try await settings[token] == "second first secret!")
            #expect(try await storage.snapshot { try $0.settings()[token] } == "second first secret!")
        }
        try await with(nil) { storage in
            let settings = try storage.settings()
            try await settings.set("dark", for: theme)
            #expect(try await settings[theme] == "dark")
            #expect(try await storeCode { _ = try await settings[token] } == .missingSealingKey)
            #expect(try await storeCode { try await settings.set("x", for: token) } == .missingSealingKey)
        }
        try await with(setup.keys) { storage in
            let settings = try storage.settings()
            #expect(try await settings[token] == "second first secret!")
            try await settings.reset(token)
            let (hasTheme, hasToken) = (try await settings.has(theme), try await settings.has(token))
            #expect(hasTheme && !hasToken)
        }
        #expect(try !setup.contains("secret") && setup.contains("dark"))
    }

    @Test("The comparable form of an opaque mail address is sealed, too, and weather can be sealed")
    func opaqueMailAddress() async throws {
        let setup = try Setup(.plist)
        try await UserProfileStorage.open(
            setup.location, sealingUsers: [.opaque(\.mailAddress)], sealingWeather: [.opaque("title")],
            keys: .source(setup.keys)
        ).closing { storage in
            let ada = try Self.user("ada", "ada@example.com")
            try await storage.users.save(ada)
            #expect(try await storage.users.find(ada.id) == ada)
            let address = try #require(ada.mailAddress)
            let query = Query<User>(where: \.mailAddress == address)
            #expect(try await storeCode { _ = try await storage.users.find(query) } == .misuse)
        }
        #expect(try !setup.contains("ada@") && setup.contains("1999-12-31"))
    }

    @Test("Birthdays that are sealed are found by reading all users", arguments: Kind.allCases)
    func birthdays(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        try await setup.with(setup.keys) { storage in
            let ada = try Self.user("ada", nil)
            try await storage.users.save(ada)
            let found = try await storage.profiles.birthdays(from: CalendarDate("2026-12-25"), within: 10)
            #expect(found.map(\.user) == [ada])
        }
    }

    @Test("Of a field and a field within it, only one can be sealed")
    func overlap() async throws {
        let setup = try Setup(.plist)
        let patient = try Self.patient(1)
        try await setup.with(setup.keys) { try await $0.repository(of: Patient.self).save(patient) }
        let outer = EntityType(Patient.self, in: "patients", sealing: [.opaque("address")])
        let both = EntityType(Patient.self, in: "others", sealing: [.opaque(\.address.street), .opaque("address")])
        for entity in [outer, both] {
            let code = try await storeCode {
                try await UserProfileStorage.open(
                    setup.location, entities: [entity], keys: .source(setup.keys)
                ).closing { _ in }
            }
            #expect(code == .misuse)
        }
        let found = try await setup.with(setup.keys) { try await $0.repository(of: Patient.self).find(1) }
        #expect(found == patient)
    }

    @Test("An export without the key omits sealed values, but no plain ones", arguments: Kind.allCases)
    func omission(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let ada = try Self.user("ada", "ada@example.com")
        func find(_ keys: StoreKeys) async throws -> User? {
            try await UserProfileStorage.open(
                setup.location, sealingUsers: [.searchable(\.mailAddress), .opaque(\.birthday)], keys: keys
            ).closing { try await $0.users.find(ada.id) }
        }
        try await setup.with(nil, isSealed: false) { try await $0.users.save(ada) }
        #expect(try await find(.omittingSealedFields) == ada)
        #expect(try await find(.source(setup.keys)) == ada)
        #expect(try await find(.omittingSealedFields) == User(id: ada.id))
    }

    @Test("Flipped bits and swapped values are found, and none is opened")
    func damage() async throws {
        let setup = try Setup(.lmdb)
        let patients = try (0..<2).map { try Self.patient($0) }
        try await setup.with(setup.keys) { storage in
            let repository = try storage.repository(of: Patient.self)
            try await repository.save(contentsOf: patients)
            let keys = try (0..<2).map { try Key(collection: "patients", id: "\($0)") }
            let record = try #require(try await storage.records.record("patients", "0"))
            let other = try #require(try await storage.records.record("patients", "1"))
            guard case .sealed(let bytes)? = record["number"] else { throw CancellationError() }
            var damaged: [Record] = []
            for bit in 0..<(8 * bytes.count) {
                var (flipped, changed) = (bytes, record)
                flipped[bit / 8] ^= 1 << (bit % 8)
                changed["number"] = .sealed(flipped)
                damaged.append(changed)
            }
            for name in ["mail", "number", "diagnosis"] {
                for value in [other[name], record[name == "mail" ? "number" : "mail"]] {
                    var changed = record
                    changed[name] = value
                    damaged.append(changed)
                }
            }
            for changed in damaged {
                try await storage.records.write { [keys] in try $0.put(changed, for: keys[0]) }
                let code = try await storeCode { _ = try await repository.find(0) }
                #expect(code == .corrupted || code == .unsupportedFormat)
                #expect(try await storage.records.verifySealedFields(with: setup.keys).count == 1)
            }
            // A save replaces a damaged value.
            try await repository.save(patients[0])
            #expect(try await repository.find(0) == patients[0])
        }
    }
}
#endif
