#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The standard output of the program.
enum Output {
    /// Writes a line and flushes it, because output to a pipe is buffered.
    static func write(_ line: String) {
        print(line)
        fflush(nil)
    }
}
