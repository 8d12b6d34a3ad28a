#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The standard output, without a buffer between.
enum Output {
    /// Writes a line. Lines are shorter than `PIPE_BUF`, so a pipe takes each whole or not at all. Where nobody reads
    /// any more, SIGPIPE ends the program.
    static func line(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        // The bytes live as long as the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
