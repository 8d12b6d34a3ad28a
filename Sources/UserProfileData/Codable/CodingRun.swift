import DataStoreCore

/// What the coders of one value share, for as long as it is encoded or decoded.
///
/// One task uses it, and no coder may be kept beyond `encode(to:)` and `init(from:)`.
final class CodingRun {
    /// How many values may be within each other, also where they are one in the record: bounded, because each is a call within
    /// a call.
    static let maximumLevel = 4 * Record.maximumDepth

    let userInfo: [CodingUserInfoKey: Any]

    /// What went wrong where nothing can be thrown: in making a container.
    private(set) var misuse: (any Error)?

    /// Where an error came from that does not say so itself.
    private var origin: [any CodingKey]?

    init(userInfo: [CodingUserInfoKey: any Sendable]) { self.userInfo = userInfo }

    /// Remembers the first mistake.
    func note(misuse error: any Error) { misuse = misuse ?? error }

    /// Remembers where an error came by first.
    func note(errorAt path: CodedPath?) { origin = origin ?? CodedPath.keys(path) }

    /// Forgets an error that a type has helped itself against.
    func noteSuccess() { if origin != nil { origin = nil } }

    /// An error of a coder, or of a type's own coding, as one of the field that it is about.
    func fieldError(_ error: any Error) -> FieldError {
        switch error {
        case let error as FieldError: error
        case let error as DecodingError: FieldError(error)
        case let error as EncodingError: FieldError(error)
        default: FieldError(CodedPath.text(origin ?? []), "is refused: \(error)", underlying: error)
        }
    }
}

extension FieldError {
    fileprivate init(_ error: DecodingError) {
        func field(_ keys: [any CodingKey], _ reason: String) -> FieldError {
            FieldError(CodedPath.text(keys), reason, underlying: error)
        }
        self =
            switch error {
            case .keyNotFound(let key, let context):
                field(
                    context.codingPath + [key],
                    "is missing; where older records lack it, make it optional or give it a default in init(from:)")
            case .valueNotFound(let type, let context):
                field(context.codingPath, "has no value where \(type) is expected: \(context.debugDescription)")
            case .typeMismatch(let type, let context):
                field(context.codingPath, "is no \(type): \(context.debugDescription)")
            case .dataCorrupted(let context):
                field(context.codingPath, "is refused: \(context.debugDescription)")
            @unknown default:
                field([], "is refused: \(error)")
            }
    }

    fileprivate init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            self.init(
                CodedPath.text(context.codingPath), "cannot be kept: \(context.debugDescription)", underlying: error)
        @unknown default:
            self.init("", "cannot be kept: \(error)", underlying: error)
        }
    }
}
