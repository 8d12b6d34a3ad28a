import ProfileFormats
import UserProfileDomain

/// Gathers the profiles of an input in batches, and knows how far it has come with them.
struct ImportLines {
    /// How far the import has come when the batch that was given last is saved.
    private(set) var mark: ImportMark

    private let options: ImportOptions
    private var reader: ProfileReader
    private var batch: [User] = []
    /// The end of what was imported before, as long as it is not reached.
    private var resumed: InputPosition?

    /// - Parameters:
    ///   - options: how to import.
    ///   - old: how far an import of the input has come that is gone on with.
    ///   - now: the present.
    init(_ options: ImportOptions, after old: ImportMark?, now: Instant) {
        self.options = options
        reader = ProfileReader(options.format, ignoresUnknown: options.ignoresUnknown, now: now)
        mark = old ?? ImportMark(id: options.markID)
        resumed = old?.position
    }

    /// Takes the next bytes of the input.
    ///
    /// - Parameter read: gives them, and nil or none at the end.
    /// - Returns: whether that was the end.
    /// - Throws: what `read` threw, `CancellationError`.
    mutating func takeNext(from read: () throws -> [UInt8]?) throws -> Bool {
        try Task.checkCancellation()
        guard let bytes = try read(), !bytes.isEmpty else {
            reader.end()
            return true
        }
        reader.append(bytes)
        return false
    }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - isBusy: whether the batch before is still being saved: then this one may grow.
    ///   - skipped: is told of each line that is left out.
    /// - Returns: a batch that is to be saved; nil where there are no more whole lines.
    /// - Throws: `ProfileFormatError` where a line ends the import; ``ResumeError``.
    mutating func nextBatch(
        while isBusy: () -> Bool, _ skipped: (ProfileFormatError) -> Void
    ) throws -> [User]? {
        let maximum = max(1, options.batchCount)
        let usual = min(maximum, ImportOptions.usualBatchCount)
        while batch.count < usual || batch.count < maximum && isBusy() {
            guard let line = reader.next() else { return nil }
            if let resumed {
                // What was imported before is only compared.
                guard reader.position.byteCount <= resumed.byteCount else { throw ResumeError(resumed) }
                if reader.position.byteCount < resumed.byteCount { continue }
                guard reader.position == resumed else { throw ResumeError(resumed) }
                self.resumed = nil
                continue
            }
            switch line {
            case .success(let user):
                batch.append(user)
                mark.savedCount += 1
            case .failure(let error):
                guard options.errorPolicy == .skip, !error.isFatal else { throw error }
                skipped(error)
                mark.skippedCount += 1
            }
            mark.position = reader.position
        }
        return takeRest()
    }

    /// What was read since the last batch.
    mutating func takeRest() -> [User] {
        defer { batch = [] }
        return batch
    }

    /// Refuses an input that is at its end before what was imported before is.
    func checkHasResumed() throws(ResumeError) { if let resumed { throw ResumeError(resumed) } }
}

extension ResumeError {
    fileprivate init(_ position: InputPosition) { lineCount = position.lineCount }
}
