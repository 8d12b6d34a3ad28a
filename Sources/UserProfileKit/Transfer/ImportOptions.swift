public import ProfileFormats
import UserProfileDomain

/// How profiles are imported.
public struct ImportOptions: Sendable {
    /// What is done about a line with something wrong.
    public enum ErrorPolicy: String, CaseIterable, Sendable {
        /// The import ends. What comes before the line is saved.
        case stop
        /// The line is left out, and told of.
        case skip
    }

    /// What the input is called, e.g. its path: an import that was interrupted is found again by it.
    package var source: String

    /// How the profiles are written.
    package var format: ProfileFormat

    /// What is done about a line with something wrong.
    package var errorPolicy: ErrorPolicy

    /// Whether columns and members of other names are passed over; otherwise they are errors.
    package var ignoresUnknown: Bool

    /// Whether an import of the same input that was interrupted is gone on with. Where there is none it begins at the
    /// start.
    package var resumes: Bool

    /// How many profiles are saved in one transaction at most.
    package var batchCount: Int

    /// From how many profiles on a transaction is worth its flushes, where the one before is over.
    static let usualBatchCount = 10_000

    /// Makes options.
    ///
    /// - Parameters:
    ///   - source: what the input is called, e.g. its path.
    ///   - format: how the profiles are written.
    ///   - errorPolicy: what is done about a line with something wrong.
    ///   - ignoresUnknown: whether columns and members of other names are passed over.
    ///   - resumes: whether an import that was interrupted is gone on with.
    ///   - batchCount: how many profiles are saved in one transaction at most.
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

    /// The id of the mark: a path may be longer than an id.
    var markID: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in source.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\(format.rawValue)-\(String(hash, radix: 16))"
    }
}

/// Why an import cannot go on where one was interrupted.
public struct ResumeError: Error, Sendable, CustomStringConvertible {
    /// Up to which line the input was imported.
    package let lineCount: Int64

    /// One sentence.
    public var description: String {
        "what was imported up to line \(lineCount) is not how the input begins now, "
            + "so the import cannot go on there; begin at the start"
    }
}
