import DataStoreCore
import UserProfileData

/// The state that the coders of one value share while it is encoded or decoded.
///
/// One task uses it. A coder must not outlive the call of `encode(to:)` or `init(from:)` that received it.
final class CodingSession {
    /// The greatest depth of nested values. It also counts values that the record does not nest, because each level is
    /// a nested call that uses the stack.
    static let maximumLevel = 4 * Record.maximumDepth

    let userInfo: [CodingUserInfoKey: Any]

    /// The first error in the creation of a container, which cannot throw.
    private(set) var misuse: (any Error)?

    /// The path of the value that threw first, for errors without a coding path.
    private var origin: [any CodingKey]?

    init(userInfo: [CodingUserInfoKey: any Sendable]) { self.userInfo = userInfo }

    /// Records an error unless one is recorded already.
    func note(misuse error: any Error) { misuse = misuse ?? error }

    /// Records the path of an error unless one is recorded already.
    func note(errorAt path: CodedPath?) { origin = origin ?? CodedPath.keys(path) }

    /// Discards the recorded path of an error that a type has caught.
    func noteSuccess() { if origin != nil { origin = nil } }

    /// Converts an error of a coder, or of a type's own coding, to an error of the field that it concerns.
    func fieldError(_ error: any Error) -> FieldError {
        switch error {
        case let error as FieldError: error
        case let error as DecodingError: FieldError(error)
        case let error as EncodingError: FieldError(error)
        default: FieldError(CodedPath.text(origin ?? []), "is rejected: \(error)", underlying: error)
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
                field(context.codingPath, "is rejected: \(context.debugDescription)")
            @unknown default:
                field([], "is rejected: \(error)")
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
