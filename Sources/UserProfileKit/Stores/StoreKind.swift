public import DataStoreCore
public import UserProfileDomain

/// A kind of store, which a ``StorageLocation`` selects by a scheme such as `lmdb`.
///
/// Implement this protocol to use a store that is not part of `UserProfileKit`. Pass the kind to
/// ``StorageLocation/init(_:kinds:)`` or ``Configuration/read(program:overrides:variables:kinds:)``:
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
/// All other requirements have default implementations, which suit a store without a data file and without backups.
public protocol StoreKind: Sendable {
    /// The text before the first colon of a location, e.g. `lmdb`.
    var scheme: String { get }

    /// Validates the address in a location and returns its canonical form.
    ///
    /// The address is printed and logged, so it must not contain a password.
    ///
    /// - Parameter text: The text after the scheme and the colon. It contains no control character.
    /// - Returns: The address to pass to ``open(at:report:)``. Equal addresses refer to the same store.
    /// - Throws: `ValidationError` if the text is not an address of this kind.
    func address(from text: String) throws(ValidationError) -> String

    /// Opens a store. If the store does not exist, the first write creates it.
    ///
    /// - Parameters:
    ///   - address: The canonical address of the store.
    ///   - report: A closure that receives each event that may interest an operator, as one sentence without keys and
    ///     values. It is called on any thread. `nil` disables reports.
    /// - Returns: The open store.
    /// - Throws: `DataStoreError` if the store cannot be opened.
    func open(at address: String, report: (@Sendable (_ event: String) -> Void)?) async throws -> any DataStore

    /// Whether records outlive the process. If `false`, the store cannot be inspected, checked, copied, compacted or
    /// backed up. The default is `true`.
    var isPersistent: Bool { get }

    /// Whether the store saves indexes together with the records. If `true`, a copy to a store of this kind by
    /// ``StorageLocation/copy(to:replacing:progress:)`` also builds the indexes. The default is `true`.
    ///
    /// Return `false` for a store that holds all records in memory. Such a store creates an index when a query first
    /// needs it.
    var storesIndexes: Bool { get }

    /// Returns whether a store exists at an address.
    ///
    /// The default implementation returns whether the data file exists, or `true` if the kind has no data file.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Returns: Whether the store exists.
    /// - Throws: `DataStoreError` if the file system cannot be queried.
    func exists(at address: String) async throws -> Bool

    /// Returns the path of the file that contains the records of a store. The default implementation returns `nil`, for
    /// a kind without such a file.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Returns: The path, or `nil` if the kind has no data file.
    func dataFile(at address: String) -> String?

    /// Returns a short description of the file format of an existing store. The default implementation returns the
    /// scheme.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Returns: The description of the format.
    /// - Throws: `DataStoreError` if the store cannot be read.
    func format(at address: String) async throws -> String

    /// Checks the files of a store, e.g. the structure of pages and the checksums, without changing them.
    ///
    /// ``StorageLocation/check(progress:)`` calls this function before it reads all records. The default implementation
    /// returns no findings.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Returns: One sentence for each problem that the check found.
    /// - Throws: `DataStoreError` if the store cannot be read.
    func check(at address: String) async throws -> [String]

    /// Copies an existing store to a new path. Programs can use the store during the copy. The default implementation
    /// throws a ``MaintenanceError``.
    ///
    /// - Parameters:
    ///   - address: The canonical address of the store.
    ///   - path: The path of the copy, at which no file exists.
    /// - Throws: ``MaintenanceError`` if the kind does not support backups. `DataStoreError` if the store cannot be
    ///   read or the copy cannot be written. `CancellationError` if the task is cancelled.
    func backUp(at address: String, to path: String) async throws

    /// Rewrites an existing store to remove deleted values from its files. The default implementation throws a
    /// ``MaintenanceError``.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Throws: ``MaintenanceError`` if the kind cannot be compacted. `DataStoreError` with the code `busy` if another
    ///   program has the store open. `CancellationError` if the task is cancelled.
    func compact(at address: String) async throws
}
