import DataStoreSystem
import RecordFraming

// The format version of an environment is stored in a record with a reserved key.
extension Environment {
    /// Writes the format version if the environment is empty. `opening` is the lock for opening, so no other process
    /// can write the format version.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if another program created the environment.
    static func writeFormat(
        of environment: RawEnvironment, _ directory: Directory, _ opening: borrowing FileLock
    ) throws(DataStoreError) {
        let transaction = try environment.begin(readOnly: false)
        do throws(DataStoreError) {
            let key = KeyBytes.format
            var cursor = try transaction.cursor()
            guard try !cursor.move(isReversed: false) else {
                throw DataStoreError.notAStore("data.mdb belongs to another program")
            }
            let format: Record = ["version": .integer(Snapshot.formatVersion)]
            try RecordFrame.with(format, key: key.span) { frame throws(DataStoreError) in
                try cursor.put(frame, for: key.span)
            }
            // The directory is synced before the first commit. If this process were killed after the commit, the next
            // process would find a complete store and would not sync the names of its files.
            try directory.sync()
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }
}

extension Snapshot {
    /// The only version that this program reads and writes.
    static let formatVersion: Int64 = 3

    /// Verifies that the file contains every page in use, and returns whether the snapshot contains a format version.
    /// Throws `DataStoreError` if this program does not support the version.
    ///
    /// The format version is the first record. This function reads it without liblmdb, so that a damaged page does not
    /// crash a program that opens the store.
    func isStore() throws(DataStoreError) -> Bool {
        try checkIsWhole()
        guard let first = try first(), first.key == KeyBytes.format else { return false }
        try Self.checkFormat(RecordFrame.record(in: first.value.span, key: first.key.span))
        return true
    }

    /// Throws `DataStoreError` with the code `unsupportedFormat` if this program does not support the format version in
    /// a record, or `corrupted` if the version is invalid.
    static func checkFormat(_ record: Record) throws(DataStoreError) {
        let stored = if case .integer(let stored) = record["version"] { stored } else { Int64?.none }
        try DataStoreError.checkFormat(stored, known: formatVersion)
    }
}
