/// The kind of store that is a schema of a PostgreSQL database. The address is a connection URI without its scheme.
///
/// `UserProfileKit` does not link libpq, so a program must pass this kind when it parses a location:
///
/// ```swift
/// let location = try StorageLocation(
///     "postgres://user@host/db?schema=profiles", kinds: .local + [PostgresStoreKind()])
/// let storage = try await UserProfileStorage.open(location)
/// ```
public struct PostgresStoreKind: StoreKind {
    /// The text `postgres`.
    public let scheme = "postgres"

    /// Creates the kind.
    public init() {}

    /// Validates a connection URI without its scheme, and returns its canonical form, which contains the name of the
    /// schema.
    public func address(from text: String) throws(DataStoreError) -> String {
        String(try ConnectionTarget("\(scheme):\(text)").description.dropFirst(scheme.count + 1))
    }

    /// Connects to the server and opens the store. The first write creates its tables.
    public func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        try await PostgresDataStore("\(scheme):\(address)")
    }

    /// Returns whether the schema that an address names contains the tables of a store.
    public func exists(at address: String) async throws -> Bool {
        try await PostgresDataStore("\(scheme):\(address)").closing { try await $0.exists() }
    }

    /// Returns a short description of the format in which the server stores the records.
    public func format(at address: String) async throws -> String { "PostgreSQL tables, checksummed CBOR" }
}
