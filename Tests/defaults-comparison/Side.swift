import DataStoreCore
import DataStorePlist
import Foundation

/// What is compared. Both keep named values in a suite of the preferences folder.
enum Side: String, CaseIterable {
    case ours, userDefaults

    /// The suite, and so the name of the file.
    var suite: String { "suite-\(rawValue)" }

    /// Opens it as a program does.
    func open() throws -> any Preferences {
        switch self {
        case .ours: try OurPreferences(suite)
        case .userDefaults: try SystemPreferences(suite)
        }
    }
}

/// What both can do.
protocol Preferences {
    /// Saves a value; where `isAwaited`, as surely as the library has it.
    func save(_ value: Value, _ name: String, isAwaited: Bool) async throws

    /// The value of a name, or nil.
    func read(_ name: String) throws -> Value?

    /// Saves what no file of this kind can hold.
    func saveUnsupported() async throws
}

/// A failure that the library told of.
struct Told: Error {}

/// The property-list store: one record, in which each value is a field.
struct OurPreferences: Preferences {
    private let store: PlistDataStore
    private let key: Key

    init(_ suite: String) throws {
        store = try PlistDataStore(suiteName: suite)
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

/// `UserDefaults`: each value is an entry.
struct SystemPreferences: Preferences {
    private let defaults: UserDefaults

    init(_ suite: String) throws {
        guard let defaults = UserDefaults(suiteName: suite) else { throw Told() }
        self.defaults = defaults
    }

    func save(_ value: Value, _ name: String, isAwaited: Bool) throws {
        switch value {
        case .string(let text): defaults.set(text, forKey: name)
        case .date(let date):
            let interval = Double(date.seconds) + Double(date.nanoseconds) / 1e9
            defaults.set(Date(timeIntervalSince1970: interval), forKey: name)
        default: throw Told()
        }
        guard !isAwaited || defaults.synchronize() else { throw Told() }
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
        guard defaults.synchronize() else { throw Told() }
    }
}
