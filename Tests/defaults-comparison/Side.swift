import DataStoreCore
import DataStorePlist
import Foundation

/// The two libraries. Each stores named values in a suite in the preferences folder.
enum Side: String, CaseIterable {
    case ours, userDefaults

    /// The name of the suite, and therefore of the file.
    var suite: String { "suite-\(rawValue)" }

    /// Opens the preferences as a program does.
    func open() throws -> any Preferences {
        switch self {
        case .ours: try OurPreferences(suite)
        case .userDefaults: try SystemPreferences(suite)
        }
    }
}

/// The operations of both libraries.
protocol Preferences {
    /// Saves a value. If `isAwaited`, waits until it is as durable as the library guarantees.
    func save(_ value: Value, _ name: String, isAwaited: Bool) async throws

    /// Returns the value with a name, or `nil`.
    func read(_ name: String) throws -> Value?

    /// Saves a value that neither file format can represent.
    func saveUnsupported() async throws
}

/// A failure that the library reported.
struct ReportedFailure: Error {}

/// The property-list store: one record with a field for each value.
struct OurPreferences: Preferences {
    private let store: PlistDataStore
    private let key: Key

    init(_ suite: String) throws {
        store = try PlistDataStore(path: try PlistDataStore.path(ofSuite: suite))
        key = try Key(collection: "preferences", id: "app")
    }

    func save(_ value: Value, _ name: String, isAwaited: Bool) async throws {
        try await store.write { [key] transaction in
            var record = try transaction.record(for: key) ?? Record()
            record[name] = value
            try transaction.put(record, for: key)
        }
    }

    func read(_ name: String) throws -> Value? { try store.read { [key] in try $0.record(for: key) }?[name] }

    func saveUnsupported() async throws {
        let deep = (0...Record.maximumDepth).reduce(Value.bool(true)) { value, _ in .array([value]) }
        try await save(deep, "unsupported", isAwaited: true)
    }
}

/// `UserDefaults`: an entry for each value.
struct SystemPreferences: Preferences {
    private let defaults: UserDefaults

    init(_ suite: String) throws {
        guard let defaults = UserDefaults(suiteName: suite) else { throw ReportedFailure() }
        self.defaults = defaults
    }

    func save(_ value: Value, _ name: String, isAwaited: Bool) throws {
        switch value {
        case .string(let text): defaults.set(text, forKey: name)
        case .date(let date):
            let interval = Double(date.seconds) + Double(date.nanoseconds) / 1e9
            defaults.set(Date(timeIntervalSince1970: interval), forKey: name)
        default: throw ReportedFailure()
        }
        guard !isAwaited || defaults.synchronize() else { throw ReportedFailure() }
    }

    func read(_ name: String) -> Value? {
        switch defaults.object(forKey: name) {
        case let text as String: return .string(text)
        case let date as Date:
            let interval = date.timeIntervalSince1970
            let seconds = interval.rounded(.down)
            return Timestamp(seconds: Int64(seconds), nanoseconds: UInt32((interval - seconds) * 1e9)).map(Value.date)
        default: return nil
        }
    }

    func saveUnsupported() throws {
        defaults.set(NSObject(), forKey: "unsupported")
        guard defaults.synchronize() else { throw ReportedFailure() }
    }
}
