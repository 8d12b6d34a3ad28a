import DataStoreCore
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of single values with names, on every store.
@Suite struct SettingsTests {
    private struct Window: Codable, Equatable, Sendable {
        var width = 800
        var title: String?
    }

    private struct Stop: Error {}

    private let launches = Field("launches", default: 0)
    private let window = Field("window", default: Window())
    private let lastSeen = Field<Date?>("lastSeen")
    private let nickname = Field<String?>("nickname", default: "none")

    @Test("A field has its default until a value is stored", arguments: StoreLocation.Kind.allCases)
    func defaults(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        let settings = try Settings(store: store)
        #expect(try await settings[launches] == 0)
        #expect(try await settings[lastSeen] == nil)
        #expect(try await settings.has(launches) == false)
        let date = Date(timeIntervalSince1970: 5.5)
        try await settings.set(0, for: launches)
        try await settings.set(Window(width: 5, title: "a"), for: window)
        try await settings.set(date, for: lastSeen)
        try await settings.set(nil, for: nickname)
        if kind != .memory { await store.close() }
        let again = try Settings(store: try location.open())
        #expect(try await again.has(launches))
        #expect(try await again[window] == Window(width: 5, title: "a"))
        #expect(try await again[lastSeen] == date)
        // The stored `nil` differs from the default.
        #expect(try await again[nickname] == nil)
        #expect(try await again.reset(nickname))
        #expect(try await again[nickname] == "none")
        #expect(try await again.reset(nickname) == false)
        #expect(try await again[window].width == 5)
        try await again.resetAll()
        #expect(try await again[window] == Window())
    }

    @Test("Concurrent updates lose nothing", arguments: StoreLocation.Kind.allCases)
    func updates(_ kind: StoreLocation.Kind) async throws {
        let settings = try Settings(store: try StoreLocation(kind).open())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { [launches] in try await settings.update(launches) { $0 += 1 } }
            }
            try await group.waitForAll()
        }
        #expect(try await settings[launches] == 20)
        await #expect(throws: Stop.self) {
            try await settings.update(launches) { count in
                count = 100
                throw Stop()
            }
        }
        #expect(try await settings[launches] == 20)
    }

    @Test("Settings are fields of one record")
    func oneRecord() async throws {
        let store = MemoryDataStore()
        let settings = try Settings(store: store)
        try await settings.set(3, for: launches)
        try await settings.set(Window(), for: window)
        #expect(
            try await store.record("settings", "main") == [
                "launches": .integer(3), "window": .record(["width": .integer(800)]),
            ])
        let others = try Settings(store: store, named: "others")
        #expect(try await others.has(launches) == false)
        try await settings.reset(launches)
        try await settings.reset(window)
        #expect(try await store.record("settings", "main") == nil)
    }

    @Test("A registered value takes precedence over the default")
    func registeredValues() async throws {
        let settings = try Settings(store: MemoryDataStore(), registering: ["launches": .integer(9)])
        #expect(try await settings[launches] == 9)
        try await settings.set(1, for: launches)
        #expect(try await settings[launches] == 1)
        try await settings.reset(launches)
        #expect(try await settings[launches] == 9)
    }

    @Test("A stored value of another type is an error and never the default")
    func wrongType() async throws {
        let store = MemoryDataStore()
        let settings = try Settings(store: store)
        try await store.put(
            ["launches": .string("many"), "window": .record(["width": .bool(true)])], "settings", "main")
        let error = await #expect(throws: RepositoryError.self) { try await settings[launches] }
        #expect(error?.code == .corrupted && error?.message.contains("the field launches is not of type Int") == true)
        let nested = await #expect(throws: RepositoryError.self) { try await settings.update(window) { $0.width = 1 } }
        #expect(nested?.message.contains("window.width") == true && nested?.causes.last is DecodingError)
        #expect(try await store.record("settings", "main")?["launches"] == .string("many"))
        // Storing another value replaces the damaged one.
        try await settings.set(2, for: launches)
        #expect(try await settings[launches] == 2)
        await #expect(throws: RepositoryError.self) { try await settings.set(1, for: Field("", default: 0)) }
        #expect(throws: DataStoreError.self) { try Settings(store: store, named: "") }
    }
}
