import DataStoreCore
import ProfileFormats
import UserProfileDomain

/// A reader that decodes the users in the input of an import in batches, and tracks the progress of the import.
struct ImportLines {
    /// The progress of the import, including the last returned batch.
    private(set) var checkpoint: ImportCheckpoint

    private let options: ImportOptions
    private var reader: ProfileReader
    private var batch: [User] = []
    /// The position up to which an interrupted import has read the input. It is `nil` if no import is resumed, or after
    /// this import has reached the position.
    private var resumed: InputPosition?

    /// Creates a reader that has not read any input yet.
    ///
    /// - Parameters:
    ///   - options: The options of the import.
    ///   - old: The checkpoint of an interrupted import to resume, or `nil` to begin at the start.
    ///   - now: The current time. A birthday must not be after it.
    init(_ options: ImportOptions, after old: ImportCheckpoint?, now: Instant) {
        self.options = options
        reader = ProfileReader(options.format, ignoresUnknown: options.ignoresUnknown, now: now)
        checkpoint = old ?? ImportCheckpoint(id: options.checkpointID)
        resumed = old?.position
    }

    /// Reads the next bytes of the input.
    ///
    /// - Parameter read: A closure that returns the next bytes, and `nil` or an empty array at the end of the input.
    /// - Returns: Whether the end of the input was reached.
    /// - Throws: The error of `read`, or `CancellationError` if the task is cancelled.
    mutating func readNext(from read: () throws -> [UInt8]?) throws -> Bool {
        try Task.checkCancellation()
        guard let bytes = try read(), !bytes.isEmpty else {
            reader.end()
            return true
        }
        reader.append(bytes)
        return false
    }

    /// Decodes lines until a batch is full.
    ///
    /// - Parameters:
    ///   - isBusy: A closure that returns whether the previous batch is still being saved. While it is being saved, the
    ///     next batch may exceed the usual number of users.
    ///   - skipped: A closure that receives the error of each skipped line.
    /// - Returns: The next batch to save, or `nil` if the bytes read so far contain too few complete lines to fill it.
    ///   If `nil`, the users that are already decoded become part of the batch that a later call returns.
    /// - Throws: `ProfileFormatError` if an invalid line ends the import. `DataStoreError` if the start of the input
    ///   has changed since the interrupted import.
    mutating func nextBatch(
        while isBusy: () -> Bool, _ skipped: (ProfileFormatError) -> Void
    ) throws -> [User]? {
        let maximum = max(1, options.batchCount)
        let usual = min(maximum, ImportOptions.usualBatchCount)
        while batch.count < usual || batch.count < maximum && isBusy() {
            guard let line = reader.next() else { return nil }
            if let resumed {
                // Lines that the interrupted import has read are skipped. At the position that it has reached, the
                // checksums must match.
                if reader.position.byteCount < resumed.byteCount { continue }
                guard reader.position == resumed else { throw DataStoreError.cannotResume(after: resumed.lineCount) }
                self.resumed = nil
                continue
            }
            switch line {
            case .success(let user):
                batch.append(user)
                checkpoint.savedCount += 1
            case .failure(let error):
                guard options.errorPolicy == .skip, !error.isFatal else { throw error }
                skipped(error)
                checkpoint.skippedCount += error.lastLine - error.line + 1
            }
            checkpoint.position = reader.position
        }
        return removeRemaining()
    }

    /// Removes and returns the users that were decoded since the last batch.
    mutating func removeRemaining() -> [User] {
        defer { batch = [] }
        return batch
    }

    /// Throws a `DataStoreError` if the input ends before the position that the interrupted import had reached.
    func checkHasResumed() throws(DataStoreError) {
        if let resumed { throw .cannotResume(after: resumed.lineCount) }
    }
}
