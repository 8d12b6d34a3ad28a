#if Sealing
import DataStoreCore
import DataStorePostgres
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit
import UserProfileSealing

/// Tests of sealed fields on a server, which never receives their values.
@Suite(.enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
struct SealedFieldsTests {
    private let subject = PostgresSubject()

    private func with<Result>(
        _ keys: SealingKeySource?, _ body: (UserProfileStorage) async throws -> Result
    ) async throws -> Result {
        try await UserProfileStorage.open(
            StorageLocation(subject.uri, kinds: [PostgresStoreKind()]), isMailAddressUnique: true,
            sealingUsers: [.searchable(\.mailAddress), .opaque(\.birthday)], keys: keys.map { .source($0) }
        ).closing(after: body)
    }

    private func code(_ body: () async throws -> Void) async throws -> DataStoreError.Code? {
        do {
            try await body()
            return nil
        } catch let error as RepositoryError {
            return (error.underlying as? DataStoreError)?.code
        }
    }

    @Test("Sealed users are found with the key, also with a new one, and the server has no plain text")
    func server() async throws {
        let (key, newKey) = (try SealingKey.random(number: 1), try SealingKey.random(number: 2))
        let (wrong, old, new) = (try SealingKey.random(number: 1), source(key), source(newKey))
        let secret = "\(subject.schema)@example.com"
        let address = try MailAddress(secret)
        let user = try User(id: UserID("ada"), mailAddress: address, birthday: Birthday("1999-12-31"))
        let query = Query<User>(where: \.mailAddress == address)
        let copy = User(id: try UserID("bob"), mailAddress: user.mailAddress)

        func verify(_ keys: SealingKeySource) async throws {
            try await with(keys) { storage in
                let read = try await storage.users.find(user.id)
                let found = try await storage.users.find(query).entities
                let saved = try await code { try await storage.users.save(copy) }
                #expect(read == user && found == [user] && saved == .notUnique)
            }
        }
        try await with(old) { try await $0.users.save(user) }
        try await verify(old)
        for (keys, expected) in [(nil, .missingSealingKey), (source(wrong), .wrongSealingKey)]
            as [(SealingKeySource?, DataStoreError.Code)]
        {
            try await with(keys) { storage in
                let read = try await code { _ = try await storage.users.find(user.id) }
                let saved = try await code { try await storage.users.save(copy) }
                #expect(read == expected && saved == expected)
                try await storage.weather.delete(CityCode("130010"))
            }
        }
        try await with(old) { storage in
            try await storage.records.rekey(from: old, to: newKey)
            #expect(try await storage.records.reseal(with: new) == 1)
            #expect(try await storage.records.reseal(with: new, renewingBlindKey: true) == 1)
        }
        try await verify(new)

        let server = try PlainPostgres()
        try server.run("CHECKPOINT")
        let path = try #require(try server.run("SHOW data_directory").first)
        let files = try #require(FileManager.default.enumerator(atPath: path))
        var (fileCount, foundSchema) = (0, false)
        for case let name as String in files {
            guard let bytes = try? Data(contentsOf: URL(filePath: "\(path)/\(name)")) else { continue }
            fileCount += 1
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
            foundSchema = foundSchema || bytes.range(of: Data(subject.schema.utf8)) != nil
        }
        // The search finds what is there.
        #expect(fileCount > 100 && foundSchema)
    }

    private func source(_ key: SealingKey) -> SealingKeySource { SealingKeySource { _ in key } }
}
#endif
