import DataStoreCore
import DataStorePlist
import Foundation
public import UserProfileDomain

/// Where profiles and forecasts are kept.
public enum StorageLocation: Hashable, Sendable {
    /// An LMDB environment in a directory: fast, for many records and many processes.
    case lmdb(String)
    /// A property-list file that a person can read and edit, for few records.
    case plist(String)
    /// Memory: gone with the process, for tests.
    case memory

    /// Reads a location from text.
    ///
    /// - Parameter text: `lmdb:PATH`, `plist:PATH` or `memory:`. A path that begins with `~/` is in the home directory.
    /// - Throws: `ValidationError` where it is none of these.
    public init(_ text: String) throws(ValidationError) {
        func refuse(_ rule: String) -> ValidationError { ValidationError(.storageLocation, given: text, rule: rule) }
        let forms = "lmdb:PATH, plist:PATH or memory:"
        guard let colon = text.firstIndex(of: ":") else { throw refuse("it must be \(forms)") }
        let (scheme, path) = (text[..<colon], String(text[text.index(after: colon)...]))
        guard !path.utf8.contains(0) else { throw refuse("a path has no NUL") }
        switch (scheme, path.isEmpty) {
        case ("lmdb", false): self = .lmdb(StorageLocation.expanded(path))
        case ("plist", false): self = .plist(StorageLocation.expanded(path))
        case ("lmdb", true), ("plist", true): throw refuse("a path must follow \(scheme):")
        case ("memory", true): self = .memory
        case ("memory", false): throw refuse("nothing follows memory:")
        default: throw refuse("there is no store \(String(scheme).debugDescription), only \(forms)")
        }
    }

    /// The property-list file where the platform keeps a suite of `UserDefaults`: `<name>.plist` in `$XDG_CONFIG_HOME` or
    /// `~/.config` on Linux, in `~/Library/Preferences` on Apple platforms. What else is in it stays.
    ///
    /// - Parameter name: the suite, e.g. `com.example.app`.
    /// - Returns: the location.
    /// - Throws: `ValidationError` where the name would lead to a file elsewhere: it is empty, `.`, `..`, or has a slash
    ///   or a NUL.
    public static func suite(_ name: String) throws(ValidationError) -> StorageLocation {
        do {
            return .plist(try PlistDataStore.path(ofSuite: name))
        } catch {
            throw ValidationError(.storageLocation, given: name, rule: error.reason)
        }
    }

    /// A path in the home directory; the shell expands a tilde only at the start of a word.
    private static func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        return home + path.dropFirst()
    }
}

extension StorageLocation: CustomStringConvertible {
    /// The location as text.
    public var description: String {
        switch self {
        case .lmdb(let path): "lmdb:\(path)"
        case .plist(let path): "plist:\(path)"
        case .memory: "memory:"
        }
    }
}
