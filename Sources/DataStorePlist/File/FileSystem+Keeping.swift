import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileSystem {
    /// Gives a damaged file a second name, `NAME.damaged-1` or the next number that is free, under which it stays when the
    /// first one gets another file.
    ///
    /// - Returns: the second name.
    static func keep(_ path: String) throws(DataStoreError) -> String {
        for number in 1... {
            let name = "\(path).damaged-\(number)"
            // Unlike a rename, this never replaces a file, and there is never none under the first name.
            if unsafe link(path, name) == 0 {
                try sync(parent(of: path))
                return name
            }
            if errno == EEXIST { continue }
            // Some file systems have no second names, and some files may not get one.
            guard [EPERM, ENOTSUP, EMLINK, ENOSYS, EXDEV].contains(errno) else {
                throw failure("keep the damaged file", name)
            }
            return try copy(path, beside: path, from: number)
        }
        throw failure("keep the damaged file", path, EEXIST)
    }

    /// Copies a file to the next name that is free.
    private static func copy(
        _ source: String, beside path: String, from first: Int
    ) throws(DataStoreError) -> String {
        guard let stamp = try stamp(of: source) else { throw failure("keep the damaged file", source, ENOENT) }
        let (bytes, _, _) = try readStable(source, stamp)
        for number in first... {
            let name = "\(path).damaged-\(number)"
            let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw failure("keep the damaged file", name) }
            defer { close(descriptor) }
            do throws(DataStoreError) {
                try write(bytes, to: descriptor, name)
                guard fsync(descriptor) == 0 else { throw failure("sync the file", name) }
            } catch {
                unsafe unlink(name)
                throw error
            }
            try sync(parent(of: path))
            return name
        }
        throw failure("keep the damaged file", path, EEXIST)
    }
}
