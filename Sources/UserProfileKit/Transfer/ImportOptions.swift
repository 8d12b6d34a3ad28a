public import ProfileFormats
import UserProfileDomain

/// Options of an import of profiles.
public struct ImportOptions: Sendable {
    /// The treatment of invalid lines.
    public enum ErrorPolicy: String, CaseIterable, Sendable {
        /// The import ends. The profiles before the line are saved.
        case stop
        /// The line is skipped and reported.
        case skip
    }

    /// The name of the input, e.g. its path. It identifies an interrupted import that is to be resumed.
    package var source: String

    /// The format of the profiles.
    package var format: ProfileFormat

    /// The treatment of invalid lines.
    package var errorPolicy: ErrorPolicy

    /// Whether to ignore unknown columns and members. Otherwise they are errors.
    package var ignoresUnknown: Bool

    /// Whether to resume an interrupted import of the same input. If there is none, the import begins at the start.
    package var resumes: Bool

    /// The maximum number of profiles in a transaction.
    package var batchCount: Int

    /// The number of profiles that justifies the flushes of a transaction. A batch of this size is saved as soon as the
    /// previous one is durable.
    static let usualBatchCount = 10_000

    /// Creates options.
    ///
    /// - Parameters:
    ///   - source: The name of the input, e.g. its path.
    ///   - format: The format of the profiles.
    ///   - errorPolicy: The treatment of invalid lines.
    ///   - ignoresUnknown: Whether to ignore unknown columns and members.
    ///   - resumes: Whether to resume an interrupted import.
    ///   - batchCount: The maximum number of profiles in a transaction.
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

    /// The id of the checkpoint. It contains a hash of the source, because a path may be longer than an id.
    var checkpointID: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in source.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\(format.rawValue)-\(String(hash, radix: 16))"
    }
}

/// An error of resuming an import: the beginning of the input has changed since it was imported.
package struct ResumeError: Error, Sendable, CustomStringConvertible {
    /// The number of lines that were imported.
    package let lineCount: Int64

    /// One sentence: the number of lines, the reason and the remedy.
    package var description: String {
        "could not resume the import: the input differs from what was imported up to line \(lineCount); "
            + "import it from the start"
    }
}
