import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileSystem {
    /// Copies the file of a store that is whole to a new name.
    static func backUp(_ source: String, to path: String) throws(DataStoreError) {
        guard let stamp = try stamp(of: source) else {
            throw DataStoreError(.notAStore, "nothing was saved in it yet")
        }
        let (bytes, found, _) = try readStable(source, stamp)
        guard found != nil else { throw DataStoreError(.notAStore, "nothing was saved in it yet") }
        _ = try PlistContents(bytes)
        let unfinished = "\(parent(of: path))/.\(lastPart(of: path)).unfinished-\(getpid())"
        unsafe unlink(unfinished)
        let descriptor = unsafe open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("make a file", unfinished) }
        defer {
            close(descriptor)
            unsafe unlink(unfinished)
        }
        try write(bytes, to: descriptor, unfinished)
        guard fsync(descriptor) == 0 else { throw failure("sync the file", unfinished) }
        // Unlike a rename, this never replaces a file.
        guard unsafe link(unfinished, path) == 0 else {
            if errno == EEXIST {
                throw DataStoreError(
                    .notAStore, "there is something at \(path) already; a backup is made at a new place")
            }
            throw failure("give the file its name", path)
        }
        try sync(parent(of: path))
    }
}
