import DataStoreCore
import DataStoreFiles
import RecordFraming

/// The version of the format of what is in an environment, kept under a key of the store's own.
enum StoreFormat {
    /// The version that this program writes, and the highest it reads.
    static let version: Int64 = 1

    /// Reads the version, or writes it where the environment is empty.
    ///
    /// - Throws: `DataStoreError`: `formatTooNew`, or `notAStore` where the environment is another program's.
    static func check(
        _ environment: RawEnvironment, in file: PageFile, _ files: StoreFiles, timeout: Duration
    ) throws(DataStoreError) {
        if try isKnown(in: environment, file) { return }
        let lock = try files.lockForWriting(timeout: timeout, isYielding: false) { 0 }
        let transaction = try environment.begin(readOnly: false)
        do throws(DataStoreError) {
            let key = KeyBytes.format
            guard try transaction.count() == 0 else {
                if try isKnown(in: environment, file) {
                    transaction.abort()
                    return lock.release()
                }
                throw DataStoreError(.notAStore, "it is an LMDB environment of another program")
            }
            var frame: [UInt8] = []
            RecordFrame.write(["version": .integer(version)], key: key.span, to: &frame)
            try transaction.put(frame.span, for: key.span)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
        lock.release()
    }

    /// Refuses the record of a format that this program does not know.
    static func check(_ record: Record) throws(DataStoreError) {
        guard case .integer(let stored) = record["version"], stored >= 1 else {
            throw DataStoreError(.corrupted, "the version of its format is damaged")
        }
        guard stored <= version else {
            throw DataStoreError(
                .formatTooNew,
                "its format is version \(stored), this program knows up to \(version); use a newer program")
        }
    }

    /// Whether there is a version and this program knows it.
    ///
    /// It is the first record of all, and read without the library: a damaged page must not end the program that opens
    /// a store.
    private static func isKnown(in environment: RawEnvironment, _ file: PageFile) throws(DataStoreError) -> Bool {
        let first = try environment.withSnapshot(of: file) { snapshot throws(DataStoreError) in
            try snapshot.first()
        }
        guard let first, first.key == KeyBytes.format else { return false }
        try check(RecordFrame.record(in: first.value.span, key: first.key.span))
        return true
    }
}
