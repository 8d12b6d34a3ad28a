import DataStoreCore

/// The version of the format of what is in an environment, kept under a key of the store's own.
enum Format {
    /// The version that this program writes, and the highest it reads.
    static let version: Int64 = 1

    /// Reads the version, or writes it where the environment is empty.
    ///
    /// - Throws: `DataStoreError`: `formatTooNew`, or `notAStore` where the environment is another program's.
    static func check(_ environment: RawEnvironment) throws(DataStoreError) {
        if try isKnown(in: environment.begin(readOnly: true)) { return }
        // Somebody else may be about to do the same; in a write transaction only one of us is.
        let transaction = try environment.begin(readOnly: false)
        do throws(DataStoreError) {
            let key = KeyBytes.format
            guard try transaction.count() == 0 else {
                if try isKnown(in: environment.begin(readOnly: true)) { return transaction.abort() }
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
    }

    /// Whether there is a version in a read transaction, which ends with that, and this program knows it.
    private static func isKnown(in transaction: RawTransaction) throws(DataStoreError) -> Bool {
        defer { transaction.abort() }
        let key = KeyBytes.format
        var value: Result<Value?, DataStoreError>?
        let isThere = try transaction.view(key.span, in: StoredRecord()) { record in
            value = Result { () throws(DataStoreError) in try record.value(of: "version") }
        }
        guard isThere else { return false }
        guard case .integer(let stored) = try value?.get(), stored >= 1 else {
            throw DataStoreError(.corrupted, "the version of its format is damaged")
        }
        guard stored <= version else {
            throw DataStoreError(
                .formatTooNew,
                "its format is version \(stored), this program knows up to \(version); use a newer program")
        }
        return true
    }
}
