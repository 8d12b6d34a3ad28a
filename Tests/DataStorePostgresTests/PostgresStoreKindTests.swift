import DataStoreCore
import DataStorePostgres
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@Suite struct PostgresStoreKindTests {
    private static let kinds: [any StoreKind] = .local + [PostgresStoreKind()]

    @Test(
        "A location names the schema, and equal locations have equal texts",
        arguments: [
            ("postgres://user@host/db", "postgres://user@host/db?schema=profiles"),
            ("postgresql://user@host/db", "postgres://user@host/db?schema=profiles"),
            ("postgres://a,b/db?schema=x&sslmode=require", "postgres://a,b/db?sslmode=require&schema=x"),
            ("postgres:///?service=mine&schema=a%2eb", "postgres:///?service=mine&schema=a.b"),
        ])
    func canonicalText(_ text: String, _ canonical: String) throws {
        let location = try StorageLocation(text, kinds: Self.kinds)
        #expect(location.description == canonical)
        #expect(try StorageLocation(canonical, kinds: Self.kinds) == location)
    }

    @Test("A location with a password is rejected, and the error does not show it")
    func password() {
        let error = #expect(throws: ValidationError.self) {
            try StorageLocation("postgres://user:secret@host/db", kinds: Self.kinds)
        }
        #expect(error?.rule.contains("PGPASSFILE") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        "A storage is copied to PostgreSQL and back with its records and indexes",
        .enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
    func copy() async throws {
        let subject = PostgresSubject()
        let directory = FileManager.default.temporaryDirectory.appending(path: "postgres-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = StorageLocation.lmdb("\(directory.path)/first")
        let last = StorageLocation.lmdb("\(directory.path)/last")
        let server = try StorageLocation(subject.uri, kinds: Self.kinds)

        let storage = try await UserProfileStorage.open(first)
        for number in 0..<50 {
            let id = try UserID("user-\(number)")
            try await storage.profiles.saveMailAddress(MailAddress("user-\(number)@example.com"), of: id)
        }
        await storage.close()
        #expect(try await first.copy(to: server) == 50)
        #expect(try await server.check() == [])
        #expect(try await server.copy(to: last) == 50)
        #expect(try await last.info().recordCounts == first.info().recordCounts)
        #expect(try await server.info().indexes.map(\.name) == first.info().indexes.map(\.name))
        await #expect(throws: DataStoreError.self, "the target has records") { try await first.copy(to: server) }
    }
}
