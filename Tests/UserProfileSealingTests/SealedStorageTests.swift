#if Sealing
import DataStoreCore
import DataStoreQueries
import DataTesting
import Foundation
import RecordCoding
import Synchronization
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

@testable import UserProfileSealing

/// Tests of storages with sealed fields, on each kind of store that outlives its process.
@Suite struct SealedStorageTests {
    struct Patient: Codable, Identifiable, Hashable, Sendable, Queryable {
        struct Address: Codable, Hashable, Sendable {
            var street: String
            var city: String
        }
        let id: Int
        var mail: MailAddress
        var number: UUID
        var diagnosis: [String]?
        var address: Address?
        var ward: String

        static let fields = EntityFields(of: Patient.self)
    }

    enum Kind: CaseIterable, Sendable { case lmdb, plist }

    /// A store in a temporary directory, with a key file.
    private struct Setup: Sendable {
        let directory: TemporaryDirectory
        let location: StorageLocation
        let keys: SealingKeySource

        init(_ kind: Kind) throws {
            directory = try TemporaryDirectory()
            location =
                switch kind {
                case .lmdb: .lmdb(directory.path("store"))
                case .plist: .plist(directory.path("store.plist"))
                }
            let path = directory.path("key")
            try SealingKey.random(number: 1).write(toNewFileAt: path)
            keys = .file(path)
        }

        static let patients = EntityType(
            Patient.self, in: "patients", indexes: [.unique(\.mail), .on(\.number), .on(\.ward)],
            sealing: [
                .searchable(\.mail), .searchable(\.number), .opaque("diagnosis"), .opaque(\.address.street),
            ])
        static let plainPatients = EntityType(
            Patient.self, in: "patients", indexes: [.unique(\.mail), .on(\.number), .on(\.ward)])

        func with<Result>(
            _ keys: SealingKeySource?, isSealed: Bool = true, _ body: (UserProfileStorage) async throws -> Result
        ) async throws -> Result {
            try await UserProfileStorage.withStorage(
                location, entities: [isSealed ? Setup.patients : Setup.plainPatients], isMailAddressUnique: true,
                sealingUsers: isSealed ? [.searchable(\.mailAddress), .opaque(\.birthday)] : [],
                keys: keys.map { .source($0) }, body)
        }

        /// Returns whether a file of the store contains a text.
        func contains(_ text: String) throws -> Bool {
            let files = try #require(FileManager.default.enumerator(at: directory.url, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.lastPathComponent != "key" {
                let bytes = try? Data(contentsOf: file)
                if bytes?.range(of: Data(text.utf8)) != nil { return true }
            }
            return false
        }
    }

    private static func patient(_ id: Int, _ mail: String? = nil) throws -> Patient {
        Patient(
            id: id, mail: try MailAddress(mail ?? "patient\(id)@example.com"), number: UUID(),
            diagnosis: ["fractured", "wrist"], address: .init(street: "Elm Street \(id)", city: "Oslo"), ward: "west")
    }

    private static func user(_ id: String, _ mail: String?) throws -> User {
        User(
            id: try UserID(id), mailAddress: try mail.map { try MailAddress($0) }, birthday: try Birthday("1999-12-31"))
    }

    /// Returns the code of the innermost store error.
    private func storeCode(_ body: () async throws -> Void) async throws -> DataStoreError.Code? {
        do {
            try await body()
            return nil
        } catch let error as RepositoryError {
            return (error.underlying as? DataStoreError)?.code
        } catch let error as DataStoreError {
            return error.code
        }
    }

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
                try await UserProfileStorage.withStorage(setup.location, entities: [entity]) { _ in }
            } == .misuse)
    }

    @Test(
        "Without the key, with a wrong one, or if it cannot be given, only sealed fields fail", arguments: Kind.allCases
    )
    func missingKeys(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let ada = try Self.user("ada", "ada@example.com")
        let nobody = User(id: try UserID("nobody"))
        try await setup.with(setup.keys) { storage in
            try await storage.users.save(ada)
            try await storage.users.save(nobody)
        }
        let wrong = setup.directory.path("wrong")
        try SealingKey.random(number: 1).write(toNewFileAt: wrong)
        struct Locked: Error {}
        let cases: [(SealingKeySource?, DataStoreError.Code)] = [
            (nil, .missingSealingKey), (SealingKeySource { _ in nil }, .missingSealingKey),
            (.file(wrong), .wrongSealingKey), (SealingKeySource { _ in throw Locked() }, .sealingKeyUnavailable),
        ]
        for (keys, code) in cases {
            for isSealed in [true, false] {
                try await setup.with(keys, isSealed: isSealed) { storage in
                    func failure(_ body: () async throws -> Void) async throws {
                        let found = try await storeCode(body)
                        #expect(found == code)
                    }
                    try await failure { _ = try await storage.users.find(ada.id) }
                    try await failure { _ = try await storage.users.list(after: nil, limit: nil) }
                    try await failure { try await storage.users.save(ada) }
                    let mail = try MailAddress("ada@example.com")
                    try await failure { _ = try await storage.users.find(Query(where: \.mailAddress == mail)) }
                    #expect(try await storage.users.find(nobody.id) == nobody)
                    #expect(try await storage.users.count(where: \.birthday == nil) == 1)
                    try await storage.weather.delete(try CityCode("130010"))
                }
            }
        }
        try await setup.with(setup.keys) { storage in
            let found = try await storage.users.find(ada.id)
            #expect(found == ada)
        }
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
        try await UserProfileStorage.withStorage(copy, keys: .source(setup.keys)) { storage in
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
        try await UserProfileStorage.withStorage(setup.location, migrations: migrations) { storage in
            let names = try await storage.records.sealedFieldNames(of: ["patients"])
            #expect(names.contains("patients.contact") && !names.contains("patients.mail"))
        }
        try await UserProfileStorage.withStorage(
            setup.location, entities: [entity], migrations: migrations, keys: .source(setup.keys)
        ) { storage in
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
            try await UserProfileStorage.withStorage(
                setup.location, sealingSettings: ["api.token"], keys: keys.map { .source($0) }, body)
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
        try await UserProfileStorage.withStorage(
            setup.location, sealingUsers: [.opaque(\.mailAddress)], sealingWeather: [.opaque("title")],
            keys: .source(setup.keys)
        ) { storage in
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

    @Test("Keys are renewed while another program goes on", arguments: Kind.allCases)
    func rotation(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let patients = try (0..<30).map { try Self.patient($0) }
        let newPath = setup.directory.path("new")
        let newKey = try SealingKey.random(number: 2)
        try newKey.write(toNewFileAt: newPath)
        let both = SealingKeySource { request in
            try await (request.number == 2 ? SealingKeySource.file(newPath) : setup.keys).key(for: request)
        }
        try await setup.with(both) { running in
            let repository = try running.repository(of: Patient.self)
            try await repository.save(contentsOf: patients)
            try await setup.with(setup.keys) { storage in
                try await storage.records.rekey(from: setup.keys, to: newKey)
            }
            #expect(try await storeCode { try await running.records.rekey(from: setup.keys, to: newKey) } != nil)
            #expect(try await repository.list(after: nil, limit: nil) == patients)
            try await setup.with(both) { storage in
                let count = try await storage.records.reseal(with: .file(newPath))
                #expect(count == 30)
            }
            #expect(try await repository.list(after: nil, limit: nil) == patients)
            try await repository.update(3) { $0?.ward = "east" }
            #expect(
                try await repository.find(Query(where: \.mail == patients[3].mail)).entities.map(\.ward) == ["east"])
            #expect(
                try await storeCode { try await repository.save(Self.patient(99, patients[4].mail.text)) } == .notUnique
            )
            func blinds() async throws -> Set<Value> {
                let key = try Key(collection: "patients", id: "3")
                let record = try #require(try await running.records.record(for: key))
                return try Set(
                    record.compactMap { field in
                        guard case .sealed(let bytes) = field.value else { return nil }
                        return try SealedValue(bytes).blind.map { .data(Array($0)) }
                    })
            }
            let before = try await blinds()
            #expect(try await running.records.reseal(with: .file(newPath), renewingBlindKey: true) == 30)
            #expect(try await blinds().isDisjoint(with: before) && before.count == 2)
            #expect(try await repository.find(Query(where: \.mail == patients[5].mail)).entities == [patients[5]])
            #expect(
                try await storeCode { try await repository.save(Self.patient(98, patients[5].mail.text)) } == .notUnique
            )
            #expect(try await running.records.verifySealedFields(with: .file(newPath)).isEmpty)
        }
        try await setup.with(setup.keys) { storage in
            let code = try await storeCode { _ = try await storage.repository(of: Patient.self).find(1) }
            #expect(code == .missingSealingKey)
        }
    }

    @Test("A transaction runs again if another task loads newer keys meanwhile", arguments: Kind.allCases)
    func keysOfAnotherSnapshot(_ kind: Kind) async throws {
        let setup = try Setup(kind)
        let ada = try Self.user("ada", "ada@example.com")
        let mail = try #require(ada.mailAddress)
        try await setup.with(setup.keys) { storage in
            try await storage.users.save(ada)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let mayGoOn = DispatchSemaphore(value: 0)
            defer { mayGoOn.signal() }
            let runCount = Atomic(0)
            // The transaction blocks a thread of its own, so that the other tasks have theirs.
            let transaction = Task(executorPreference: BlockingExecutor()) {
                defer { begin.finish() }
                return try await storage.unitOfWork.snapshot { snapshot in
                    if runCount.add(1, ordering: .relaxed).newValue == 1 {
                        begin.finish()
                        guard mayGoOn.wait(timeout: .now() + 60) == .success else { throw CancellationError() }
                    }
                    return try snapshot.repository(of: User.self).find(Query(where: \.mailAddress == mail)).entities
                }
            }
            for await _ in begun {}
            try await setup.with(setup.keys) { other in
                _ = try await other.records.reseal(with: setup.keys, renewingBlindKey: true)
            }
            #expect(try await storage.users.find(ada.id) == ada)
            mayGoOn.signal()
            #expect(try await transaction.value == [ada])
            #expect(runCount.load(ordering: .relaxed) == 2)
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
                try await UserProfileStorage.withStorage(
                    setup.location, entities: [entity], keys: .source(setup.keys)
                ) { _ in }
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
            try await UserProfileStorage.withStorage(
                setup.location, sealingUsers: [.searchable(\.mailAddress), .opaque(\.birthday)], keys: keys
            ) { try await $0.users.find(ada.id) }
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
