/// A kind of store, which a location such as `lmdb:PATH` selects by its scheme.
///
/// Implement this protocol to use a store that is not part of `UserProfileKit`, and pass the kind to the function that
/// parses a location:
///
/// ```swift
/// struct ShelfStoreKind: StoreKind {
///     let scheme = "shelf"
///
///     func address(from text: String) throws(DataStoreError) -> String {
///         guard !text.isEmpty else { throw DataStoreError(.notAStore, "a name must follow shelf:") }
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
/// All other requirements have default implementations. They suit a store without a data file and without maintenance:
/// an operation that the kind does not support throws ``DataStoreError/Code/unsupported``.
public protocol StoreKind: Sendable {
    /// The text before the first colon of a location, e.g. `lmdb`.
    var scheme: String { get }

    /// Validates the address in a location and returns its canonical form.
    ///
    /// The address is printed and logged, so it must not contain a password.
    ///
    /// - Parameter text: The text after the scheme and the colon. It contains no control character.
    /// - Returns: The address to pass to ``open(at:report:)``. Equal addresses refer to the same store.
    /// - Throws: ``DataStoreError`` if the text is not an address of this kind. Only its reason is displayed.
    func address(from text: String) throws(DataStoreError) -> String

    /// Opens a store. If the store does not exist, the first write creates it.
    ///
    /// - Parameters:
    ///   - address: The canonical address of the store.
    ///   - report: A closure that receives each event that may interest an operator, as one sentence without keys and
    ///     values. It is called on any thread. `nil` disables reports.
    /// - Returns: The open store.
    /// - Throws: ``DataStoreError`` if the store cannot be opened.
    func open(at address: String, report: (@Sendable (_ event: String) -> Void)?) async throws -> any DataStore

    /// Whether records outlive the process. If `false`, the store cannot be inspected, checked, copied, compacted or
    /// backed up. The default is `true`.
    var isPersistent: Bool { get }

    /// Whether the store saves indexes together with the records. If `true`, copying another store to a store of this
    /// kind also builds the indexes. The default is `true`.
    ///
    /// Return `false` for a store that holds all records in memory. Such a store creates an index when a query first
    /// needs it.
    var storesIndexes: Bool { get }

    /// A kind for maintenance with the same scheme and the same stores. If a file is damaged, the opened stores throw
    /// errors instead of crashing or skipping records, even if reads then take longer. The default is the kind itself.
    var verifying: any StoreKind { get }

    /// Returns whether a store exists at an address, for a kind without a data file. The default implementation returns
    /// `true`.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Returns: Whether the store exists.
    /// - Throws: ``DataStoreError`` if the store cannot be queried.
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
    /// - Throws: ``DataStoreError`` if the store cannot be read.
    func format(at address: String) async throws -> String

    /// Returns the page statistics of an existing store. The default implementation returns `nil`, for a kind without
    /// pages.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Returns: The statistics, or `nil` if the store has no pages.
    /// - Throws: ``DataStoreError`` if the store cannot be read.
    func pageStatistics(at address: String) async throws -> PageStatistics?

    /// Checks the files of a store, e.g. the structure of pages and the checksums, without changing them. The caller
    /// then reads all records. The default implementation returns no findings.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Returns: One sentence for each problem that the check found.
    /// - Throws: ``DataStoreError`` if the store cannot be read.
    func check(at address: String) async throws -> [String]

    /// Copies an existing store to a new path. Programs can use the store during the copy.
    ///
    /// - Parameters:
    ///   - address: The canonical address of the store.
    ///   - path: The path of the copy, at which no file exists.
    /// - Throws: ``DataStoreError`` if the store cannot be read or the copy cannot be written. `CancellationError` if
    ///   the task is cancelled.
    func backUp(at address: String, to path: String) async throws

    /// Replaces an existing store with a backup of the same kind, in one step. The default implementation throws
    /// ``DataStoreError/Code/unsupported``.
    ///
    /// - Parameters:
    ///   - address: The canonical address of the store.
    ///   - backup: The path of the backup, which does not change.
    /// - Returns: The path at which the replaced file is kept.
    /// - Throws: ``DataStoreError`` if the backup is damaged, or with the code ``DataStoreError/Code/busy`` if another
    ///   program has the store open. `CancellationError` if the task is cancelled. The store is then unchanged.
    func restore(at address: String, from backup: String) async throws -> String

    /// Rewrites an existing store to remove deleted values from its files.
    ///
    /// - Parameter address: The canonical address of the store.
    /// - Throws: ``DataStoreError``, with the code ``DataStoreError/Code/busy`` if another program has the store open.
    ///   `CancellationError` if the task is cancelled.
    func compact(at address: String) async throws

    /// Copies the intact records of a damaged store, and the definitions of its indexes, into another store. Replaces
    /// no records of the other store, and does not change the damaged one.
    ///
    /// - Parameters:
    ///   - address: The canonical address of the damaged store.
    ///   - target: The other store.
    /// - Returns: The number of copied records, and the losses.
    /// - Throws: ``DataStoreError`` if the damaged store cannot be read or the target cannot be written.
    ///   `CancellationError` if the task is cancelled.
    func salvage(at address: String, into target: any DataStore) async throws -> RecoveryReport

    /// Replaces a damaged store with one that contains its intact records. Keeps the damaged file under another name.
    /// Does not change an intact store.
    ///
    /// - Parameter address: The canonical address of the damaged store.
    /// - Returns: The number of recovered records, the losses, and the path of the damaged file.
    /// - Throws: ``DataStoreError`` if the store cannot be read, recovered or written.
    func recover(at address: String) async throws -> RecoveryReport
}

extension StoreKind {
    /// `true`: records outlive the process.
    public var isPersistent: Bool { true }

    /// `true`: indexes are stored with the records.
    public var storesIndexes: Bool { true }

    /// The kind itself.
    public var verifying: any StoreKind { self }

    /// Returns `true`.
    public func exists(at address: String) async throws -> Bool { true }

    /// Returns `nil`, for a kind without a data file.
    public func dataFile(at address: String) -> String? { nil }

    /// Returns the scheme as the description of the format.
    public func format(at address: String) async throws -> String { scheme }

    /// Returns `nil`, for a kind without pages.
    public func pageStatistics(at address: String) async throws -> PageStatistics? { nil }

    /// Returns no findings, for a kind without checks.
    public func check(at address: String) async throws -> [String] { [] }

    /// Throws ``DataStoreError/Code/unsupported``, for a kind without backups.
    public func backUp(at address: String, to path: String) async throws {
        throw unsupported(address, "back up the store", "cannot be backed up; copy the store instead")
    }

    /// Throws ``DataStoreError/Code/unsupported``, for a kind without backups.
    public func restore(at address: String, from backup: String) async throws -> String {
        throw unsupported(address, "restore the store", "has no backups; copy another store into it instead")
    }

    /// Throws ``DataStoreError/Code/unsupported``, for a kind that cannot be compacted.
    public func compact(at address: String) async throws {
        throw unsupported(address, "compact the store", "cannot be compacted; copy the store instead")
    }

    /// Throws ``DataStoreError/Code/unsupported``, for a kind that cannot be salvaged.
    public func salvage(at address: String, into target: any DataStore) async throws -> RecoveryReport {
        throw unsupported(
            address, "salvage the store", "cannot be salvaged; recover it in place, or restore a backup")
    }

    /// Throws ``DataStoreError/Code/unsupported``, for a kind that cannot be recovered.
    public func recover(at address: String) async throws -> RecoveryReport {
        throw unsupported(
            address, "recover the store",
            "cannot be recovered in place; salvage it into another store, or restore a backup")
    }

    private func unsupported(_ address: String, _ operation: String, _ reason: String) -> DataStoreError {
        DataStoreError(
            .unsupported, "a store of the kind \(scheme) \(reason)", operation: operation,
            path: "\(scheme):\(address)")
    }
}

/// The result of salvaging or recovering a damaged store.
///
/// ```swift
/// print("saved \(report.savedCount) records")
/// for loss in report.losses { print(loss) }
/// ```
public struct RecoveryReport: Sendable {
    /// The number of intact records that salvaging has copied to the target, or that the recovered store contains.
    public let savedCount: Int

    /// One sentence for each part of the store that is damaged or lost, and for each record that salvaging did not copy
    /// because the target has another record with the same key.
    public let losses: [String]

    /// The keys of the lost records as `collection/id`, escaped for display, without those whose keys are unknown.
    public let lostKeys: [String]

    /// The path at which recovery has kept the damaged file, or `nil` if the store was not changed.
    public let damagedFile: String?

    /// Creates a report.
    public init(savedCount: Int, losses: [String], lostKeys: [String] = [], damagedFile: String? = nil) {
        self.savedCount = savedCount
        self.losses = losses
        self.lostKeys = lostKeys
        self.damagedFile = damagedFile
    }
}

/// The page statistics of a store whose data file consists of pages. `profile-cli store info` prints them.
///
/// ```swift
/// if let pages = try await kind.pageStatistics(at: address) { log(pages) }
/// ```
public struct PageStatistics: Sendable, Hashable {
    /// The number of records in all collections.
    package let recordCount: Int
    /// The size of the data file in bytes.
    package let byteCount: Int
    /// The size of a page in bytes.
    package let pageByteCount: Int
    /// The number of pages in the data file, including free pages.
    package let pageCount: Int
    /// The number of free pages, which later writes reuse.
    package let freePageCount: Int
    /// The size of the memory map in bytes. If the data outgrows the map, the store maps the file again with a larger
    /// size.
    package let mapByteCount: Int
    /// The number of the last committed transaction.
    package let lastTransaction: UInt64
    /// The number of running reads in all processes, excluding the read that collects the statistics.
    package let readCount: Int
    /// The number of the transaction whose state the oldest running read sees, or `nil` if no read is running. Pages
    /// that were freed since then cannot be reused yet.
    package let oldestReadTransaction: UInt64?

    /// Creates statistics. Each parameter sets the property with the same name.
    package init(
        recordCount: Int, byteCount: Int, pageByteCount: Int, pageCount: Int, freePageCount: Int, mapByteCount: Int,
        lastTransaction: UInt64, readCount: Int, oldestReadTransaction: UInt64?
    ) {
        self.recordCount = recordCount
        self.byteCount = byteCount
        self.pageByteCount = pageByteCount
        self.pageCount = pageCount
        self.freePageCount = freePageCount
        self.mapByteCount = mapByteCount
        self.lastTransaction = lastTransaction
        self.readCount = readCount
        self.oldestReadTransaction = oldestReadTransaction
    }
}
