#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The unbuffered standard output.
enum Output {
    /// Writes a line. Lines are shorter than `PIPE_BUF`, so a write to a pipe is atomic. If the reading end is closed,
    /// SIGPIPE ends the program.
    static func line(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        // The call uses the bytes only until it returns.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
