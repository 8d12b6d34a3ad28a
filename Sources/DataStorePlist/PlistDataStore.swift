// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import DataStoreCore
import DataStoreSystem
import Synchronization

/// A data store in a property-list file that a person can read and edit.
///
/// ```swift
/// let store = try PlistDataStore(path: "/home/me/.config/my-program.plist")
/// try await store.write { try $0.put(["mailAddress": .string("vision@example.com")], for: key) }
/// ```
///
/// The file has an entry `UserProfile`, a dictionary with one dictionary for each collection. A collection contains a
/// dictionary for each id, with the fields in the property list's own types. Other entries of the file are preserved.
///
/// The store reads the file again after any program has changed it. A save writes a temporary file, syncs it, renames
/// it over the file and syncs the directory. Meanwhile the store holds a lock on `<name>.lock` beside the file.
///
/// Each save writes the whole file, so this store suits tens to thousands of records. Concurrent saves share a write.
public final class PlistDataStore: DataStore, ImmediateDataStore, HidesRecords {
    /// The format of a property-list file. Binary files are smaller and faster; a person can edit XML.
    ///
    /// ```swift
    /// let store = try PlistDataStore(path: path, format: .binary)
    /// ```
    public enum Format: Sendable {
        /// XML text, which a person can edit.
        case xml
        /// The binary format `bplist00`.
        case binary
    }

    let file: PlistFile
    private let writer: WriterThread
    private let isClosed = Atomic(false)

    /// The absolute path of the store's file.
    public var path: String { file.path }

    /// Opens the store in a file. The first save creates the file and its directory.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - format: The format in which a missing file is created. An existing file keeps its format.
    ///   - lockTimeout: The maximum time to wait for the lock while no other process changes the file. If other
    ///     processes change the file, the maximum is ten times as long. After this time, a write fails with the code
    ///     `busy`.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `notAStore` if something other than a store exists at the path.
    ///   - `unsupportedFormat` if a newer program wrote the store.
    ///   - `corrupted` if the store is damaged.
    ///   - `inputOutput` if the store cannot be read.
    public init(path: String, format: Format = .xml, lockTimeout: Duration = .seconds(30)) throws(DataStoreError) {
        let file = PlistFile(path: try Path.absolute(path), newFormat: format, lockTimeout: lockTimeout)
        self.file = file
        writer = WriterThread(timeout: lockTimeout) { file }
        do throws(DataStoreError) {
            if path.hasSuffix("/") { throw DataStoreError.notAStore("the path of a directory") }
            _ = try file.records()
        } catch {
            throw error.ofStore("open the store", path: self.path)
        }
    }

    deinit { writer.end() }

    /// Runs a closure on one snapshot of the store and returns the result of the closure. If the file does not exist,
    /// the snapshot is empty.
    public func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        do {
            let transaction = RecordTreeTransaction(try reading { () throws(DataStoreError) in try file.records() })
            defer { if transaction.hasBuiltIndexes { file.keep(transaction.tree, builtFrom: transaction.old) } }
            return try body(ReadTransaction(transaction))
        } catch let error as DataStoreError {
            throw error.adding(operation: "read the store", path: path)
        }
    }

    /// Runs a closure that changes the store, and returns its result after the changes are durable.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await DataStoreError.adding(operation: "write to the store", path: path) {
            if isClosed.load(ordering: .acquiring) { throw DataStoreError.closed() }
            if try !file.exists(), let result = try RecordTreeTransaction.resultWithoutChanges(of: body) {
                return result
            }
            return try await writer.write(body)
        }
    }

    /// Checks the file for changes, and returns a number that increases with each change to its contents that this
    /// store detects or makes.
    public func generation() throws -> UInt64 {
        try reading { () throws(DataStoreError) in try file.generation() }
    }

    /// Calls `wake` after each commit that may have changed a record in the scope. While observers exist, a thread of
    /// this process watches the file for commits of other processes and for manual edits.
    ///
    /// - Returns: The observation, which ends when its last reference is released.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try file.observe(scope, wake)
    }

    /// Waits for pending writes and closes the store.
    public func close() async {
        isClosed.store(true, ordering: .releasing)
        await withCheckedContinuation { continuation in writer.end { continuation.resume() } }
        file.observers.close()
    }

    @inline(__always)
    private func reading<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError) -> Result {
        do throws(DataStoreError) {
            if isClosed.load(ordering: .acquiring) { throw .closed() }
            return try body()
        } catch {
            throw error.ofStore("read the store", path: path)
        }
    }
}
