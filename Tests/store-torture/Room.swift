#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The room that files may grow into, which is taken away and given back.
enum Room {
    /// The largest size of a file, for this process.
    case limit
    /// A file that takes what is left on a small file system.
    case ballast(path: String)

    init(_ text: String) { self = text == "limit" ? .limit : .ballast(path: text) }

    /// Takes the room, but for some bytes beyond what a file has now.
    func take(leaving byteCount: Int, beyond file: String) {
        switch self {
        case .limit: ThisProcess.limitFileSize(Self.size(of: file) + byteCount)
        case .ballast(let path):
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            let page = [UInt8](repeating: 0, count: 4096)
            var size = 0
            while true {
                // The bytes live as long as the call.
                let written = unsafe page.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
                guard written > 0 else { break }
                size += written
            }
            ftruncate(descriptor, off_t(max(0, size - byteCount)))
        }
    }

    /// Gives all of it back.
    func give() {
        switch self {
        case .limit: ThisProcess.limitFileSize(nil)
        case .ballast(let path): unsafe unlink(path)
        }
    }

    private static func size(of file: String) -> Int {
        var status = stat()
        // The status is written before the call returns.
        return unsafe stat(file, &status) == 0 ? Int(status.st_size) : 0
    }
}
