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

/// A result could not be written: exit code 74.
struct OutputError: Error {
    let message: String
    /// Whether that is because nobody reads it any more.
    var isUnread = false
}
