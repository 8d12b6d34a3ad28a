import DataStoreCore
import DataStorePlist
public import UserProfileDomain

/// The location of a store: a kind of store and an address, as text `SCHEME:ADDRESS`.
///
/// | text | in Swift | the store |
/// | --- | --- | --- |
/// | `lmdb:PATH` | ``lmdb(_:verifiesPages:)`` | an LMDB environment in a directory, for many records and processes |
/// | `plist:PATH` | ``plist(_:)``, ``suite(_:)`` | a property-list file that a person can edit, for few records |
/// | `memory:` | ``memory`` | memory, which is lost with the process: for tests |
///
/// A program can add kinds of its own: see ``StoreKind``.
public struct StorageLocation: Sendable {
    /// The kind of store.
    public let kind: any StoreKind

    /// The address of the store, in the canonical form of its kind, e.g. the path of a file.
    public let address: String

    /// Creates a location without validating the address.
    ///
    /// - Parameters:
    ///   - kind: The kind of store.
    ///   - address: The address, in the form that ``StoreKind/address(from:)`` of the kind returns.
    public init(kind: any StoreKind, address: String) {
        self.kind = kind
        self.address = address
    }

    /// Parses a location.
    ///
    /// - Parameters:
    ///   - text: A scheme, a colon, and an address that the kind with that scheme accepts: `lmdb:PATH`, `plist:PATH` or
    ///     `memory:` for the default kinds. A path that begins with `~/` is in the home directory.
    ///   - kinds: The kinds to choose from. If several have the same scheme, the first one is used.
    /// - Throws: `ValidationError` if no kind has the scheme, if the kind rejects the address, or if the text has a
    ///   NUL.
    public init(_ text: String, kinds: [any StoreKind] = .local) throws(ValidationError) {
        let schemes = kinds.map { "\($0.scheme):" }.joined(separator: ", ")
        guard let colon = text.firstIndex(of: ":") else {
            throw ValidationError(.storageLocation, given: text, rule: "it must begin with one of \(schemes)")
        }
        guard !text.utf8.contains(0) else {
            throw ValidationError(.storageLocation, given: text, rule: "a NUL is not allowed")
        }
        let scheme = String(text[..<colon])
        guard let kind = kinds.first(where: { $0.scheme == scheme }) else {
            throw ValidationError(
                .storageLocation, given: text,
                rule: "the scheme \(scheme.excerpt(80).quoted) is unknown; use one of \(schemes)")
        }
        do throws(ValidationError) {
            self.init(kind: kind, address: try kind.address(from: String(text[text.index(after: colon)...])))
        } catch {
            // The kind has seen only the address, so the error is completed with the whole text.
            throw ValidationError(
                error.subject, given: text, rule: error.rule, offset: error.offset.map { scheme.utf8.count + 1 + $0 },
                path: error.path)
        }
    }

    // MARK: Local stores

    /// Returns the location of an LMDB environment.
    ///
    /// - Parameters:
    ///   - path: The path of its directory.
    ///   - verifiesPages: Whether every page is verified before it is used, so that a damaged file causes errors
    ///     instead of crashes and missing records. Reads then take several times as long. The first write checks all
    ///     pages of a store of up to 64 MiB.
    /// - Returns: The location.
    public static func lmdb(_ path: String, verifiesPages: Bool = false) -> StorageLocation {
        StorageLocation(kind: LMDBStoreKind(verifiesPages: verifiesPages), address: path)
    }

    /// Returns the location of a property-list file.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The location.
    public static func plist(_ path: String) -> StorageLocation {
        StorageLocation(kind: PlistStoreKind(), address: path)
    }

    /// The location of a store in memory. Each opened store is a new one.
    public static let memory = StorageLocation(kind: MemoryStoreKind(), address: "")

    /// Returns the location of the property-list file in which the platform keeps a suite of `UserDefaults`:
    /// `<name>.plist` in `$XDG_CONFIG_HOME` or `~/.config` on Linux, in `~/Library/Preferences` on Apple platforms.
    /// Other entries of the file are kept.
    ///
    /// - Parameter name: The suite, e.g. `com.example.app`.
    /// - Returns: The location.
    /// - Throws: `ValidationError` if the name is empty, `.` or `..`, or has a slash or a NUL.
    public static func suite(_ name: String) throws(ValidationError) -> StorageLocation {
        do {
            return .plist(try PlistDataStore.path(ofSuite: name))
        } catch {
            throw ValidationError(.storageLocation, given: name, rule: error.reason)
        }
    }
}

extension StorageLocation: Hashable {
    /// Returns whether two locations have the same scheme and address.
    public static func == (left: StorageLocation, right: StorageLocation) -> Bool {
        left.kind.scheme == right.kind.scheme && left.address == right.address
    }

    /// Hashes the scheme and the address.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind.scheme)
        hasher.combine(address)
    }
}

extension StorageLocation: CustomStringConvertible {
    /// The location as text.
    public var description: String { "\(kind.scheme):\(address)" }
}
