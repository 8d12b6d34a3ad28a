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

// Tests of missing and renewed keys.
extension SealedStorageTests {
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
}
#endif
