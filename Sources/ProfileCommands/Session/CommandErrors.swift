import UserProfileKit

/// An error which states that the requested value is not saved. The exit code is 1.
struct NothingSaved: Error {
    let message: String
}

/// An error which states that the arguments cannot be used together. The exit code is 64.
struct UsageError: Error {
    let message: String
}

/// An error which states that an input file cannot be read. The exit code is 66, or 77 if permission is denied.
struct UnreadableFile: Error {
    let message: String
    let isForbidden: Bool
}

/// An error which states that a result could not be written. `kind` determines the exit code. If the reader has closed
/// the pipe, the exit code is 141, and no message is printed.
struct OutputError: Error {
    let message: String
    var hasNoReader = false
    var kind = Failure.Kind.inputOutput
}

/// An error which states that the output file already exists. The exit code is 73.
struct OutputExists: Error {
    let message: String
}
