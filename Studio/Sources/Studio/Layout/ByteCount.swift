#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Numbers of bytes as text.
enum ByteCount {
    /// Returns a number of bytes in the largest unit that is not greater, e.g. `1.5 MiB`.
    static func text(_ count: Int) -> String {
        guard count >= 1024 else { return "\(count) bytes" }
        var (value, unit) = (Double(count) / 1024, 0)
        let units = ["KiB", "MiB", "GiB", "TiB"]
        while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// Returns the size of a file, or `nil` if it cannot be determined.
    static func text(ofFileAt path: String) -> String? {
        var status = stat()
        return stat(path, &status) == 0 ? text(Int(status.st_size)) : nil
    }
}
