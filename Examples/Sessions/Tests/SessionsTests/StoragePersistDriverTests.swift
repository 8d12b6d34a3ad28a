import Foundation
import Hummingbird
import Sessions
import Testing
import UserProfileKit

@Suite struct StoragePersistDriverTests {
    struct Session: Codable, Equatable {
        var user: String
    }

    @Test func valuesAreCreatedSetAndRemoved() async throws {
        let driver = try await driver()
        try await driver.create(key: "a", value: Session(user: "vision"), expires: nil)
        await #expect(throws: PersistError.duplicate) {
            try await driver.create(key: "a", value: Session(user: "wanda"), expires: nil)
        }
        #expect(try await driver.get(key: "a", as: Session.self) == Session(user: "vision"))
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "a", as: Int.self) }
        try await driver.set(key: "a", value: 7, expires: nil)
        #expect(try await driver.get(key: "a", as: Int.self) == 7)
        try await driver.remove(key: "a")
        #expect(try await driver.get(key: "a", as: Int.self) == nil)
    }

    @Test func valuesExpire() async throws {
        let driver = try await driver()
        try await driver.create(key: "a", value: 1, expires: .seconds(-1))
        #expect(try await driver.get(key: "a", as: Int.self) == nil)
        // An expired value does not prevent a new one.
        try await driver.create(key: "a", value: 2, expires: .seconds(3600))
        // A new value keeps the expiry.
        try await driver.set(key: "a", value: 3, expires: nil)
        let found = try #require(try await driver.getWithTTL(key: "a", as: Int.self))
        let ttl = try #require(found.ttl)
        #expect(found.object == 3 && ttl > .seconds(3000) && ttl <= .seconds(3600))
    }

    @Test func valuesSurviveARestart() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "sessions-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let location = StorageLocation.lmdb(directory.path)
        for visit in 1...2 {
            try await UserProfileStorage.open(location, entities: [StoragePersistDriver.values]).closing { storage in
                let driver = try StoragePersistDriver(storage)
                #expect(try await driver.get(key: "visits", as: Int.self) ?? 0 == visit - 1)
                try await driver.set(key: "visits", value: visit, expires: nil)
            }
        }
    }

    private func driver() async throws -> StoragePersistDriver {
        try StoragePersistDriver(await UserProfileStorage.open(.memory, entities: [StoragePersistDriver.values]))
    }
}
