import ProfileFormats
import UserProfileDomain

/// The profiles of an input, grouped into batches, and the progress of the import.
struct ImportLines {
    /// The progress of the import after the last returned batch is saved.
    private(set) var checkpoint: ImportCheckpoint

    private let options: ImportOptions
    private var reader: ProfileReader
    private var batch: [User] = []
    /// The position up to which an earlier import has read the input; `nil` once it is reached.
    private var resumed: InputPosition?

    /// Creates the lines of an input.
    ///
    /// - Parameters:
    ///   - options: The options of the import.
    ///   - old: The progress of the import that is resumed; `nil` begins at the start.
    ///   - now: The current time.
    init(_ options: ImportOptions, after old: ImportCheckpoint?, now: Instant) {
        self.options = options
        reader = ProfileReader(options.format, ignoresUnknown: options.ignoresUnknown, now: now)
        checkpoint = old ?? ImportCheckpoint(id: options.checkpointID)
        resumed = old?.position
    }

    /// Reads the next bytes of the input.
    ///
    /// - Parameter read: Returns the bytes, and `nil` or an empty array at the end.
    /// - Returns: Whether the end was reached.
    /// - Throws: What `read` throws, or `CancellationError`.
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
    ///   - isBusy: Whether the previous batch is still being saved, so that this one may grow.
    ///   - skipped: Receives the error of each skipped line.
    /// - Returns: The next batch to save; `nil` if there are no more complete lines.
    /// - Throws: `ProfileFormatError` if an invalid line ends the import; ``ResumeError``.
    mutating func nextBatch(
        while isBusy: () -> Bool, _ skipped: (ProfileFormatError) -> Void
    ) throws -> [User]? {
        let maximum = max(1, options.batchCount)
        let usual = min(maximum, ImportOptions.usualBatchCount)
        while batch.count < usual || batch.count < maximum && isBusy() {
            guard let line = reader.next() else { return nil }
            if let resumed {
                // Lines that were imported before are only compared.
                guard reader.position.byteCount <= resumed.byteCount else { throw ResumeError(resumed) }
                if reader.position.byteCount < resumed.byteCount { continue }
                guard reader.position == resumed else { throw ResumeError(resumed) }
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
                checkpoint.skippedCount += 1
            }
            checkpoint.position = reader.position
        }
        return removeRemaining()
    }

    /// Removes and returns the profiles that were decoded since the last batch.
    mutating func removeRemaining() -> [User] {
        defer { batch = [] }
        return batch
    }

    /// Throws an error if the input ends before the position up to which it was imported.
    func checkHasResumed() throws(ResumeError) { if let resumed { throw ResumeError(resumed) } }
}

extension ResumeError {
    fileprivate init(_ position: InputPosition) { lineCount = position.lineCount }
}
