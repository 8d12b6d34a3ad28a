/// What was asked for is not saved: exit code 1.
struct NothingSaved: Error {
    let message: String
}

/// The program was called or configured wrongly: exit code 64.
struct UsageError: Error {
    let message: String
}

/// A file that is to be read cannot be: exit code 66, or 77 where it is forbidden.
struct UnreadableFile: Error {
    let message: String
    let isForbidden: Bool
}

/// A result could not be written: exit code 74, or 141 without a word where nobody reads it any more.
struct OutputError: Error {
    let message: String
    var hasNoReader = false
}

/// There is something already where a result is to be written: exit code 73.
struct OutputExists: Error {
    let message: String
}
