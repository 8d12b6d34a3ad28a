import DataStoreCore
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

private enum Theme: String, Codable, Sendable { case light, dark }

private enum Layout: Codable, Equatable, Sendable {
    case list
    case grid(columns: Int)
}

private struct Window: Codable, Equatable, Sendable {
    var width = 800
    var title: String?
}

extension Field<Theme> { fileprivate static let theme = Field("theme", default: .light) }
extension Field<Layout> { fileprivate static let layout = Field("layout", default: .list) }
extension Field<Window> { fileprivate static let window = Field("window", default: Window()) }
extension Field<[String]> { fileprivate static let recent = Field("recent", default: []) }
extension Field<Int> { fileprivate static let launches = Field("launches", default: 0) }

/// Tests of several settings in one transaction, of settings in units of work, and of observed settings.
@Suite struct SettingsTransactionTests {
    private struct Stop: Error {}

    @Test("Enums, arrays and structs are values", arguments: StoreLocation.Kind.allCases)
    func values(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        let settings = try Settings(store: store)
        #expect(try await settings[.theme] == .light)
        try await settings.set(.dark, for: .theme)
        try await settings.set(.grid(columns: 3), for: .layout)
        try await settings.set(Window(width: 5, title: "a"), for: .window)
        try await settings.update(.recent) { $0.append("b") }
        if kind != .memory { await store.close() }
        let again = try Settings(store: try location.open())
        #expect(try await again[.theme] == .dark)
        #expect(try await again[.layout] == .grid(columns: 3))
        #expect(try await again[.window] == Window(width: 5, title: "a"))
        #expect(try await again[.recent] == ["b"])
    }

    @Test("Several values change together or not at all", arguments: StoreLocation.Kind.allCases)
    func several(_ kind: StoreLocation.Kind) async throws {
        let settings = try Settings(store: try StoreLocation(kind).open(), registering: ["launches": .integer(7)])
        let launches = try await settings.perform { settings in
            try settings.set(.dark, for: .theme)
            // The registered value is visible, and so is a change of this transaction.
            try settings.set(try settings[.launches] + 1, for: .launches)
            return try settings[.launches]
        }
        #expect(launches == 8)
        await #expect(throws: Stop.self) {
            try await settings.perform { settings in
                try settings.set(.light, for: .theme)
                try settings.reset(.launches)
                throw Stop()
            }
        }
        #expect(try await settings[.theme] == .dark)
        #expect(try await settings[.launches] == 8)
        #expect(try await settings.perform { try $0.reset(.theme) })
        #expect(try await settings.has(.theme) == false)
    }

    @Test("An ignored failure of one change aborts the others")
    func ignoredFailure() async throws {
        let store = MemoryDataStore()
        let settings = try Settings(store: store)
        try await store.put(["theme": .integer(1)], "settings", "main")
        let error = await #expect(throws: RepositoryError.self) {
            try await settings.perform { settings in
                try settings.set(1, for: .launches)
                _ = try? settings[.theme]
            }
        }
        #expect(error?.code == .corrupted && error?.message.contains("settings/main") == true)
        #expect(try await settings.has(.launches) == false)
    }

    @Test("Settings and entities change in one unit of work", arguments: StoreLocation.Kind.allCases)
    func unitOfWork(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let unitOfWork = try store.unitOfWork(mappings: [User.mapping()])
        let users = try store.repository(mapping: User.mapping())
        let settings = try Settings(store: store)
        try await unitOfWork.perform { work in
            try work.repository(of: User.self).save(User(id: .me))
            try work.settings().set(.dark, for: .theme)
            try work.settings(named: "other").set(2, for: .launches)
        }
        #expect(try await users.find(.me) != nil)
        #expect(try await settings[.theme] == .dark)
        #expect(try await Settings(store: store, named: "other")[.launches] == 2)
        await #expect(throws: Stop.self) {
            try await unitOfWork.perform { work in
                try work.repository(of: User.self).delete(.me)
                try work.settings().reset(.theme)
                throw Stop()
            }
        }
        #expect(try await users.find(.me) != nil)
        #expect(try await settings[.theme] == .dark)
        await #expect(throws: RepositoryError.self) {
            try await unitOfWork.perform { work in _ = try work.settings(named: "") }
        }
    }

    @Test("Settings fail after their unit of work has ended")
    func endedUnit() async throws {
        final class Box: @unchecked Sendable { var settings: UnitOfWorkSettings? }
        let (store, box) = (MemoryDataStore(), Box())
        try await store.unitOfWork(mappings: []).perform { work in box.settings = try work.settings() }
        let settings = try #require(box.settings)
        #expect(throws: RepositoryError.self) { try settings.set(1, for: .launches) }
        #expect(throws: RepositoryError.self) { try settings[.launches] }
        #expect(try await Settings(store: store).has(.launches) == false)
    }

    @Test("A value is delivered immediately and after each change", arguments: StoreLocation.Kind.allCases)
    func updates(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let settings = try Settings(store: store)
        var themes = settings.updates(of: .theme).makeAsyncIterator()
        #expect(try await themes.next() == .light)
        // Another field, another group, and the default as a stored value are not new states.
        try await settings.set(1, for: .launches)
        try await Settings(store: store, named: "other").set(.dark, for: .theme)
        try await settings.set(.light, for: .theme)
        try await settings.set(.dark, for: .theme)
        #expect(try await themes.next() == .dark)
        try await settings.resetAll()
        #expect(try await themes.next() == .light)
        await store.close()
        #expect(try await themes.next() == nil)
    }

    @Test("A value of another type is thrown to its observers once")
    func invalidUpdate() async throws {
        let store = MemoryDataStore()
        let settings = try Settings(store: store)
        try await store.put(["theme": .integer(1)], "settings", "main")
        var themes = settings.updates(of: .theme).makeAsyncIterator()
        let error = await #expect(throws: RepositoryError.self) { try await themes.next() }
        #expect(error?.code == .corrupted)
        try await settings.set(.dark, for: .theme)
        #expect(try await themes.next() == .dark)
    }
}
