/// The options of an import of users: the input, its format, and the treatment of invalid lines.
///
/// ```swift
/// let options = ImportOptions(source: "users.csv", format: .csv, errorPolicy: .skip)
/// try await storage.importUsers(options) { try file.read(upToCount: 65_536).map(Array.init) }
/// ```
public struct ImportOptions: Sendable {
    /// The treatment of invalid lines in an import.
    ///
    /// ```swift
    /// ImportOptions(source: "users.csv", format: .csv, errorPolicy: .skip)
    /// ```
    public enum ErrorPolicy: String, CaseIterable, Sendable {
        /// The import ends at the first invalid line. The users before that line are saved.
        case stop
        /// The import skips and reports each invalid line, and ends at a line that prevents reading the following
        /// lines.
        case skip
    }

    /// The name of the input, e.g. its path. An interrupted import of the input can be resumed only with the same name.
    package var source: String

    /// The format of the input, e.g. CSV.
    package var format: ProfileFormat

    /// The treatment of invalid lines in the input.
    package var errorPolicy: ErrorPolicy

    /// Whether to ignore columns and members that are not fields of a user. If `false`, such columns and members are
    /// invalid.
    package var ignoresUnknown: Bool

    /// Whether to resume an interrupted import of the same input. If no import was interrupted, the import fails,
    /// because importing a complete input again would replace later changes.
    package var resumes: Bool

    /// The maximum number of users in one transaction.
    package var batchCount: Int

    /// The number of users at which a batch is saved if no other batch is being saved. The number is large enough that
    /// flushes take only a small part of an import's time.
    static let usualBatchCount = 10_000

    /// Creates options for an import.
    ///
    /// - Parameters:
    ///   - source: The name of the input, e.g. its path.
    ///   - format: The format of the input.
    ///   - errorPolicy: The treatment of invalid lines.
    ///   - ignoresUnknown: Whether to ignore columns and members that are not fields of a user. If `false`, such
    ///     columns and members are invalid.
    ///   - resumes: Whether to resume an interrupted import of the same input.
    ///   - batchCount: The maximum number of users in one transaction.
    public init(
        source: String, format: ProfileFormat, errorPolicy: ErrorPolicy = .stop, ignoresUnknown: Bool = false,
        resumes: Bool = false, batchCount: Int = 100_000
    ) {
        self.source = source
        self.format = format
        self.errorPolicy = errorPolicy
        self.ignoresUnknown = ignoresUnknown
        self.resumes = resumes
        self.batchCount = batchCount
    }

    /// The id of the import's checkpoint. It contains a hash of the input's name, because the name may be too long for
    /// an id.
    var checkpointID: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in source.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\(format.rawValue)-\(String(hash, radix: 16))"
    }
}

extension DataStoreError {
    /// Returns the error which states that an import cannot be resumed.
    ///
    /// - Parameter lineCount: The number of lines that the interrupted import had read, or `nil` if no import of the
    ///   input was interrupted.
    /// - Returns: The error.
    static func cannotResume(after lineCount: Int64?) -> DataStoreError {
        let reason =
            lineCount.map { "the input up to line \($0) has changed; import it from the start" }
            ?? "no import of this input was interrupted; if it is not complete, import it from the start"
        return DataStoreError(.unsupported, reason, operation: "resume the import")
    }
}

extension ImportOptions {
    /// Validates all lines of an input as an import does, but saves nothing.
    ///
    /// - Parameters:
    ///   - now: The current time. A birthday must not be after it.
    ///   - skipped: A closure that receives the error of each invalid line.
    ///   - progress: A closure that receives the progress after each batch of users.
    ///   - read: A closure that returns the next bytes of the input, in chunks of any size, and `nil` or an empty array
    ///     at the end.
    /// - Returns: The progress with the number of users that an import would save, and the number of lines that it
    ///   would skip.
    /// - Throws: `ProfileFormatError` if an invalid line prevents reading the following lines, the error of `read`, or
    ///   `CancellationError` if the task is cancelled.
    package func dryRun(
        now: Instant = .now, skipped: (ProfileFormatError) -> Void = { _ in },
        progress: (ImportCheckpoint) -> Void = { _ in }, from read: () throws -> [UInt8]?
    ) throws -> ImportCheckpoint {
        var options = self
        options.errorPolicy = .skip
        var lines = ImportLines(options, after: nil, now: now)
        while try lines.nextBatch(from: read, while: { false }, skipped) != nil { progress(lines.checkpoint) }
        return lines.checkpoint
    }
}

/// A reader that decodes the users in the input of an import in batches, and tracks the progress of the import.
struct ImportLines {
    /// The progress of the import, including the last returned batch.
    private(set) var checkpoint: ImportCheckpoint

    private let options: ImportOptions
    private var reader: ProfileReader
    private var isOver = false
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

    /// Reads the next bytes of the input, which are absent or empty at its end.
    private mutating func read(_ read: () throws -> [UInt8]?) throws {
        try Task.checkCancellation()
        let bytes = try read() ?? []
        isOver = bytes.isEmpty
        if isOver { reader.end() } else { reader.append(bytes) }
    }

    /// Decodes lines until a batch is full.
    ///
    /// - Parameters:
    ///   - read: A closure that returns the next bytes, and `nil` or an empty array at the end of the input.
    ///   - isBusy: A closure that returns whether the previous batch is still being saved. While it is being saved, the
    ///     next batch may exceed the usual number of users.
    ///   - skipped: A closure that receives the error of each skipped line.
    /// - Returns: The next batch to save, or `nil` if the rest of the input has too few lines to fill it.
    /// - Throws: `ProfileFormatError` if an invalid line ends the import. `DataStoreError` if the start of the input
    ///   has changed since the interrupted import. The error of `read`, or `CancellationError` if the task is
    ///   cancelled.
    mutating func nextBatch(
        from read: () throws -> [UInt8]?, while isBusy: () -> Bool, _ skipped: (ProfileFormatError) -> Void
    ) throws -> [User]? {
        let maximum = max(1, options.batchCount)
        let usual = min(maximum, ImportOptions.usualBatchCount)
        while batch.count < usual || batch.count < maximum && isBusy() {
            guard let line = reader.next() else {
                if isOver { return nil }
                try self.read(read)
                continue
            }
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
