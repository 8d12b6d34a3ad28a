/// The requested value is not saved: exit code 1.
struct NothingSaved: Error {
    let message: String
}

/// Invalid arguments or configuration: exit code 64.
struct UsageError: Error {
    let message: String
}

/// An input file cannot be read: exit code 66, or 77 if permission is denied.
struct UnreadableFile: Error {
    let message: String
    let isForbidden: Bool
}

/// A result could not be written: exit code 74, or 141 without a message if the reader has closed the pipe.
struct OutputError: Error {
    let message: String
    var hasNoReader = false
}

/// The output file already exists: exit code 73.
struct OutputExists: Error {
    let message: String
}
