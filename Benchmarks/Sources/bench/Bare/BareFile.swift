import Foundation

/// A file that is replaced by direct system calls: write a temporary file, sync it, rename it, sync the directory.
struct BareFile {
    let path: String

    func replace(with bytes: Data) throws {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try check(descriptor)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            try check(Int32(truncatingIfNeeded: count))
            rest = rest.dropFirst(count)
        }
        try check(fsync(descriptor))
        try check(rename(temporary, path))
        let directory = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        try check(directory)
        defer { close(directory) }
        try check(fsync(directory))
    }

    private func check(_ code: Int32) throws {
        guard code >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    }
}
