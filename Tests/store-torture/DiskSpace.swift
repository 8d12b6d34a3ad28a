#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The disk space for growing files, which can be occupied and released.
enum DiskSpace {
    /// The file size limit of this process.
    case limit
    /// A file that occupies the free space of a small file system.
    case ballast(path: String)

    init(_ text: String) { self = text == "limit" ? .limit : .ballast(path: text) }

    /// Occupies the space, except for some bytes beyond the current size of a file.
    func occupy(leaving byteCount: Int, beyond file: String) {
        switch self {
        case .limit: CurrentProcess.limitFileSize(Self.size(of: file) + byteCount)
        case .ballast(let path):
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            let page = [UInt8](repeating: 0, count: 4096)
            var size = 0
            while true {
                // The call uses the bytes only until it returns.
                let written = unsafe page.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
                guard written > 0 else { break }
                size += written
            }
            ftruncate(descriptor, off_t(max(0, size - byteCount)))
        }
    }

    /// Releases all of the space.
    func release() {
        switch self {
        case .limit: CurrentProcess.limitFileSize(nil)
        case .ballast(let path): unsafe unlink(path)
        }
    }

    private static func size(of file: String) -> Int {
        var status = stat()
        // The call fills the structure before it returns.
        return unsafe stat(file, &status) == 0 ? Int(status.st_size) : 0
    }
}
