import Foundation
import Hummingbird
import ServiceLifecycle
import UserProfileKit

/// Keeps the sessions of a Hummingbird application in a storage: they survive a restart, several processes share them,
/// and they expire.
///
/// ```swift
/// let storage = try await UserProfileStorage.open(.lmdb("/data/sessions"), entities: [StoragePersistDriver.values])
/// let persist = try StoragePersistDriver(storage)
/// var application = Application(router: router)
/// application.addServices(persist)
/// ```
public struct StoragePersistDriver: PersistDriver {
    /// Declare this type when you open the storage.
    public static let values = EntityType(PersistedValue.self, in: "persisted", expiresAt: \.expiresAt)

    private let storage: UserProfileStorage
    private let values: any Repository<PersistedValue>

    /// Creates a driver of a storage that was opened with ``values``.
    public init(_ storage: UserProfileStorage) throws {
        self.storage = storage
        values = try storage.repository(of: PersistedValue.self)
    }

    /// Saves a value, or throws `PersistError.duplicate` if the key has one.
    public func create(key: String, value: some Codable & Sendable, expires: Duration?) async throws {
        let value = try PersistedValue(key, value, expiresAt: expires.map(date))
        guard try await values.insertIfAbsent(value) else { throw PersistError.duplicate }
    }

    /// Without a new expiry, the value keeps the one that it has.
    public func set(key: String, value: some Codable & Sendable, expires: Duration?) async throws {
        let value = try PersistedValue(key, value, expiresAt: expires.map(date))
        try await values.update(key) { stored in
            let expiry = value.expiresAt ?? stored?.expiresAt
            stored = value
            stored?.expiresAt = expiry
        }
    }

    /// Returns the value of a key, or `nil` if it has none.
    public func get<Object: Codable & Sendable>(key: String, as type: Object.Type) async throws -> Object? {
        try await getWithTTL(key: key, as: type)?.object
    }

    /// Returns the value of a key with the time until it expires, or `nil` if it has none.
    public func getWithTTL<Object: Codable & Sendable>(
        key: String, as type: Object.Type
    ) async throws -> (object: Object, ttl: Duration?)? {
        guard let value = try await values.find(key) else { return nil }
        guard let object = try? JSONDecoder().decode(type, from: value.content) else {
            throw PersistError.invalidConversion
        }
        return (object, value.expiresAt.map { .seconds($0.timeIntervalSinceNow) })
    }

    /// Removes the value of a key.
    public func remove(key: String) async throws { try await values.delete(key) }

    /// Removes expired values from the file now and then, until the application shuts down.
    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await storage.records.purge()
                try? await Task.sleep(for: .seconds(600))
            }
        }
    }

    private func date(after duration: Duration) -> Date {
        Date(timeIntervalSinceNow: duration / .seconds(1))
    }
}

/// A value of an application, as JSON.
public struct PersistedValue: Codable, Identifiable, Sendable {
    /// The key.
    public let id: String
    var content: Data
    var expiresAt: Date?

    init(_ id: String, _ value: some Encodable, expiresAt: Date?) throws {
        self.id = id
        self.expiresAt = expiresAt
        content = try JSONEncoder().encode(value)
    }
}
