public import DataStoreCore
public import UserProfileDomain

/// A kind of store, which the scheme of a ``StorageLocation`` names.
///
/// A program adds a kind by passing it to ``StorageLocation/init(_:kinds:)`` or
/// ``Configuration/read(program:overrides:variables:kinds:)``, so that `UserProfileKit` does not link the store:
///
/// ```swift
/// struct ShelfStoreKind: StoreKind {
///     let scheme = "shelf"
///
///     func address(from text: String) throws(ValidationError) -> String {
///         guard !text.isEmpty else {
///             throw ValidationError(.storageLocation, given: text, rule: "a name must follow shelf:")
///         }
///         return text
///     }
///
///     func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
///         try await ShelfStore(name: address)
///     }
/// }
///
/// let storage = try await UserProfileStorage.open(
///     StorageLocation("shelf:main", kinds: .local + [ShelfStoreKind()]))
/// ```
///
/// The other requirements have default implementations, for a kind that has neither a file nor a backup of its own.
public protocol StoreKind: Sendable {
    /// The text before the first colon of a location, e.g. `lmdb`.
    var scheme: String { get }

    /// Validates the text that follows the scheme and the colon of a location, and returns the canonical address.
    ///
    /// The address is printed and logged, so it must not contain a password.
    ///
    /// - Parameter text: The text, which has no NUL.
    /// - Returns: The address, which ``open(at:report:)`` accepts. Equal addresses name the same store.
    /// - Throws: `ValidationError` if the text is not an address of this kind.
    func address(from text: String) throws(ValidationError) -> String

    /// Opens a store. The first write creates it.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - report: Receives each event of the store that an operator may want to know, as one sentence without keys and
    ///     values. It is called on any thread. `nil` disables reports.
    /// - Returns: The open store.
    /// - Throws: `DataStoreError` if the store cannot be opened.
    func open(at address: String, report: (@Sendable (_ event: String) -> Void)?) async throws -> any DataStore

    /// Whether records outlive the process. Other stores cannot be inspected, checked, copied or backed up. `true` by
    /// default.
    var isPersistent: Bool { get }

    /// Whether indexes are stored with the records, so that a program builds them before it queries many records.
    /// `true` by default.
    ///
    /// A store that holds all records in memory creates an index when a query first needs it.
    var storesIndexes: Bool { get }

    /// Returns whether a store exists at an address. The default implementation returns whether its data file exists,
    /// or `true` if the kind has no data file.
    ///
    /// - Parameter address: The address.
    /// - Returns: Whether the store exists.
    /// - Throws: `DataStoreError` if the store or its file cannot be queried.
    func exists(at address: String) async throws -> Bool

    /// Returns the path of the file that holds the records of a store, or `nil` (the default) if the kind has no such
    /// file.
    ///
    /// - Parameter address: The address.
    /// - Returns: The path.
    func dataFile(at address: String) -> String?

    /// Returns a description of the format of an existing store. The default is the scheme.
    ///
    /// - Parameter address: The address.
    /// - Returns: The format.
    /// - Throws: `DataStoreError` if the store cannot be read.
    func format(at address: String) async throws -> String

    /// Checks the layers below the records of an existing store, e.g. pages and checksums, without changing it. The
    /// default implementation finds nothing; ``StorageLocation/check()`` then reads all records.
    ///
    /// - Parameter address: The address.
    /// - Returns: A sentence for each finding.
    /// - Throws: `DataStoreError` if the store cannot be read.
    func check(at address: String) async throws -> [String]

    /// Copies an existing store to a new path while it is in use. The default implementation throws.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - path: The path of the copy. No file exists there.
    /// - Throws: ``MaintenanceError`` if the kind has no backup; `DataStoreError`; `CancellationError`.
    func backUp(at address: String, to path: String) async throws

    /// Rewrites an existing store, so that no deleted value remains in its files. The default implementation throws.
    ///
    /// - Parameter address: The address.
    /// - Throws: ``MaintenanceError`` if the kind cannot be compacted; `DataStoreError` with the code `busy` if another
    ///   program has the store open; `CancellationError`.
    func compact(at address: String) async throws
}
