#if Sealing
import DataStoreCore
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

@testable import UserProfileSealing

extension SealedStorageTests {
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
    struct Setup: Sendable {
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
            try await UserProfileStorage.open(
                location, entities: [isSealed ? Setup.patients : Setup.plainPatients], isMailAddressUnique: true,
                sealingUsers: isSealed ? [.searchable(\.mailAddress), .opaque(\.birthday)] : [],
                keys: keys.map { .source($0) }
            ).closing(after: body)
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

    static func patient(_ id: Int, _ mail: String? = nil) throws -> Patient {
        Patient(
            id: id, mail: try MailAddress(mail ?? "patient\(id)@example.com"), number: UUID(),
            diagnosis: ["fractured", "wrist"], address: .init(street: "Elm Street \(id)", city: "Oslo"), ward: "west")
    }

    static func user(_ id: String, _ mail: String?) throws -> User {
        User(
            id: try UserID(id), mailAddress: try mail.map { try MailAddress($0) }, birthday: try Birthday("1999-12-31"))
    }

    /// Returns the code of the innermost store error.
    func storeCode(_ body: () async throws -> Void) async throws -> DataStoreError.Code? {
        do {
            try await body()
            return nil
        } catch let error as RepositoryError {
            return (error.underlying as? DataStoreError)?.code
        } catch let error as DataStoreError {
            return error.code
        }
    }
}
#endif
