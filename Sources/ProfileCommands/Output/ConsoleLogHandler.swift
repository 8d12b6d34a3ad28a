import Logging

/// A log handler that writes the library's log messages to standard error, in the format of all other messages.
struct ConsoleLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let details = all.map { " \($0.key)=\($0.value)" }.joined()
        Console.error("\(event.message)\(details)")
    }
}

extension Logger {
    /// The logger that the option `--verbose` enables.
    static let console = Logger(label: "profile-cli") { _ in ConsoleLogHandler() }
}
