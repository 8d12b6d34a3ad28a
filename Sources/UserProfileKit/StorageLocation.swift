import DataStoreLMDB
import DataStorePlist

/// The location of a store: where it is, and of which kind. It is written as `SCHEME:ADDRESS`.
///
/// ```swift
/// let location = try StorageLocation(ProcessInfo.processInfo.environment["MY_STORE"] ?? "lmdb:store")
/// let storage = try await UserProfileStorage.open(location)
/// try await location.backUp(to: "/backups/store")
/// ```
///
/// | text | in Swift | the store |
/// | --- | --- | --- |
/// | `lmdb:PATH` | ``lmdb(_:verifiesPages:)`` | an LMDB environment in a directory, for many records and processes |
/// | `plist:PATH` | ``plist(_:)``, ``suite(_:)`` | a property-list file that a person can edit, for few records |
/// | `memory:` | ``memory`` | memory, for tests; the records are lost when the process ends |
///
/// The product `DataStorePostgres` adds the scheme `postgres`. To add a scheme, implement `StoreKind`.
public struct StorageLocation: Sendable {
    /// The kind of the store, e.g. an LMDB environment.
    public let kind: any StoreKind

    /// The address of the store, e.g. the path of a file, in the canonical form of its kind.
    public let address: String

    /// Creates a location without validating the address.
    ///
    /// - Parameters:
    ///   - kind: The kind of the store.
    ///   - address: An address that `address(from:)` of `kind` returned.
    public init(kind: any StoreKind, address: String) {
        self.kind = kind
        self.address = address
    }

    /// Parses a location.
    ///
    /// - Parameters:
    ///   - text: A scheme, a colon, and an address: `lmdb:PATH`, `plist:PATH` or `memory:` for the default kinds. A
    ///     path that begins with `~/` is in the home directory.
    ///   - kinds: The kinds of stores that the program supports. If several have the same scheme, the first one is
    ///     used.
    /// - Throws: `ValidationError` if no kind has the scheme, if the kind rejects the address, if the text contains a
    ///   control character, or if quotes surround the text or the address.
    public init(_ text: String, kinds: [any StoreKind] = .local) throws(ValidationError) {
        var schemes: String { kinds.map { "\($0.scheme):" }.joined(separator: ", ") }
        func invalid(_ rule: String, at offset: Int? = nil) -> ValidationError {
            ValidationError(.storageLocation, given: text.withoutSecrets, rule: rule, offset: offset)
        }
        if let (rule, offset) = text.problemOfLocation { throw invalid(rule, at: offset) }
        guard let colon = text.firstIndex(of: ":") else { throw invalid("it must begin with one of \(schemes)") }
        // Connection URIs of PostgreSQL have two names for their scheme.
        let scheme = text[..<colon] == "postgresql" ? "postgres" : String(text[..<colon])
        guard let kind = kinds.first(where: { $0.scheme == scheme }) else {
            throw invalid("the scheme \(scheme.excerpt(80).quoted) is unknown; use one of \(schemes)")
        }
        do throws(DataStoreError) {
            self.init(kind: kind, address: try kind.address(from: String(text[text.index(after: colon)...])))
        } catch {
            throw invalid(error.reason)
        }
    }

    // MARK: Local stores

    /// Returns the location of an LMDB environment.
    ///
    /// - Parameters:
    ///   - path: The path of the environment's directory.
    ///   - verifiesPages: Whether the store verifies every page before it uses the page. If `true`, a damaged file
    ///     causes errors instead of crashes and missing records, but reads take several times as long. If `true`, the
    ///     first write after each opening of the store also checks all pages of a store of up to 64 MiB, or only the
    ///     free list of a larger store.
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

    /// The location of a store in memory. Each time a program opens it, the store is new and empty.
    public static let memory = StorageLocation(kind: MemoryStoreKind(), address: "")

    /// Returns the location of the property-list file in which the platform keeps a suite of `UserDefaults`.
    ///
    /// The file is `<name>.plist` in `$XDG_CONFIG_HOME` or `~/.config` on Linux, and in `~/Library/Preferences` on
    /// Apple platforms. The store is one entry of the file and preserves the other entries.
    ///
    /// No program should use the suite with `UserDefaults` while the store is open, because `UserDefaults` overwrites
    /// changes by the store.
    ///
    /// - Parameter name: The name of the suite, e.g. `com.example.app`.
    /// - Returns: The location.
    /// - Throws: `ValidationError` if the name is empty, `.` or `..`, or contains a slash or a NUL character. Also
    ///   `ValidationError` if the account has no home directory.
    public static func suite(_ name: String) throws(ValidationError) -> StorageLocation {
        do {
            return .plist(try PlistDataStore.path(ofSuite: name))
        } catch {
            throw ValidationError(.storageLocation, given: name, rule: error.reason)
        }
    }
}

extension StorageLocation: Hashable {
    /// Returns whether two locations have the same scheme and the same address.
    public static func == (left: StorageLocation, right: StorageLocation) -> Bool {
        left.description == right.description
    }

    /// Hashes the scheme and the address.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }
}

extension StorageLocation: CustomStringConvertible {
    /// The location as text in the form `SCHEME:ADDRESS`.
    public var description: String { "\(kind.scheme):\(address)" }
}

extension [any StoreKind] {
    /// The kinds of stores in this package: LMDB environments, property-list files and memory.
    public static var local: [any StoreKind] { [LMDBStoreKind(), PlistStoreKind(), MemoryStoreKind()] }
}

extension String {
    /// The reason why the text cannot be a location of any kind, or `nil`. A file with settings may end its lines with
    /// a carriage return or have quotes that no shell removes. Both would become a part of the path of a new store.
    fileprivate var problemOfLocation: (rule: String, offset: Int)? {
        if let index = unicodeScalars.firstIndex(where: { $0.properties.generalCategory == .control }) {
            return ("control characters are not allowed", utf8.distance(from: startIndex, to: index))
        }
        let address = firstIndex(of: ":").map { self[index(after: $0)...] } ?? ""
        guard
            let quoted = [self[...], address].first(where: { text in
                text.utf8.count > 1 && ["\"", "'"].contains(text.first) && text.first == text.last
            })
        else { return nil }
        return ("remove the quotes", utf8.distance(from: startIndex, to: quoted.startIndex))
    }

    /// The text for an error message. If it is a URI, its password and its parameters are omitted, because parameters
    /// may contain secrets, too.
    fileprivate var withoutSecrets: String {
        guard let slashes = firstRange(of: "://") else { return self }
        let server = self[slashes.upperBound...].prefix { $0 != "?" }
        let parameters = server.endIndex < endIndex ? "?…" : ""
        // A password may contain any character up to the last `@`, also `?`.
        let at = server.lastIndex(of: "@")
        guard self[slashes.upperBound...].contains("@"),
            let colon = server[..<(at ?? server.endIndex)].firstIndex(of: ":")
        else { return self[..<server.endIndex] + parameters }
        return self[...colon] + "…" + (at.map { server[$0...] } ?? "") + parameters
    }
}
