import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileSystem {
    /// The bytes of a file, of one of its states: somebody may write it in place meanwhile, and then it is read again.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - stamp: its stamp.
    /// - Returns: the bytes with their stamp, nil where the file is gone, and whether a later change must show in it.
    /// - Throws: `DataStoreError`: `busy` where it is changed all the time, `inputOutput`.
    static func readStable(
        _ path: String, _ stamp: FileStamp
    ) throws(DataStoreError) -> (bytes: [UInt8], stamp: FileStamp?, isSettled: Bool) {
        var stamp = stamp
        for _ in 0..<100 {
            let now = now()
            let bytes = try read(path, byteCount: Int(stamp.size))
            guard let after = try self.stamp(of: path) else { return ([], nil, true) }
            if after == stamp { return (bytes, stamp, stamp.isSettled(at: now)) }
            stamp = after
        }
        throw DataStoreError(
            .busy, "somebody changes it all the time; try again", operation: "read the file", path: path)
    }

    /// Reads a file that has so many bytes, presumably.
    private static func read(_ path: String, byteCount: Int) throws(DataStoreError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read the file", path) }
        defer { close(descriptor) }
        var code: Int32 = 0
        // One more than there should be, so that the end is seen with the first call.
        var bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount + 1) { buffer, count in
            code = unsafe fill(buffer, &count, descriptor)
        }
        while code == 0, bytes.count > byteCount {
            let more = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                code = unsafe fill(buffer, &count, descriptor)
            }
            if more.isEmpty { break }
            bytes += more
        }
        guard code == 0 else { throw failure("read the file", path, code) }
        return bytes
    }

    /// Reads until a buffer is full or the file ends.
    ///
    /// - Returns: the error number, 0 where there is none.
    private static func fill(
        _ buffer: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int, _ descriptor: Int32
    ) -> Int32 {
        while count < buffer.count {
            // What is read goes behind what has been, within the buffer.
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
            let read = unsafe systemRead(descriptor, rest.baseAddress, rest.count)
            if read == 0 { return 0 }
            if read > 0 { count += read } else if errno != EINTR { return errno }
        }
        return 0
    }

    /// Replaces a file with other bytes, all or nothing, and makes that durable. The lock must be held.
    ///
    /// - Parameters:
    ///   - path: the file; not a symbolic link.
    ///   - bytes: its new contents.
    ///   - old: the stamp of the file that is there, whose mode and owner it keeps.
    /// - Returns: the stamp of the new file, where a later change must show in it; nil where that is not certain.
    /// - Throws: `DataStoreError`; then the file is as it was, or, where only the directory could not be synced, may be the
    ///   new one.
    static func replace(_ path: String, with bytes: [UInt8], old: FileStamp?) throws(DataStoreError) -> FileStamp? {
        // The lock is held: a file of this name is one that a killed process left.
        let temporary = "\(parent(of: path))/.\(lastPart(of: path)).saving"
        if try stamp(of: temporary) != nil { unsafe unlink(temporary) }
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("make a file", temporary) }
        defer { close(descriptor) }
        let changed: timespec
        do throws(DataStoreError) {
            try write(bytes, to: descriptor, temporary)
            // Only root may give a file away; for everybody else the owner is the same or cannot stay.
            if let old { _ = fchown(descriptor, old.owner, old.group) }
            guard fchmod(descriptor, mode_t(old?.mode ?? 0o600)) == 0 else {
                throw failure("set the mode of", temporary)
            }
            changed = try markChange(of: descriptor, temporary)
            guard fsync(descriptor) == 0 else { throw failure("sync the file", temporary) }
            guard unsafe rename(temporary, path) == 0 else { throw failure("replace the file", path) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        try sync(parent(of: path))
        guard try isFile(descriptor, at: path), let stamp = try stamp(of: path), stamp.size == bytes.count,
            stamp.changed == nanoseconds(changed)
        else { return nil }
        return stamp
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(DataStoreError) {
        var code: Int32 = 0
        unsafe bytes.withUnsafeBytes { buffer in
            var count = 0
            while count < buffer.count, code == 0 {
                // The rest of the buffer lives as long as the call.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[count...])
                let written = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
                if written >= 0 { count += written } else if errno != EINTR { code = errno }
            }
        }
        guard code == 0 else { throw failure("write the file", path, code) }
    }

    /// Gives the file the time of its change to the nanosecond. The kernel would take the last tick of its clock, and who
    /// changes the file in place within the same tick would leave the same stamp.
    private static func markChange(of descriptor: Int32, _ path: String) throws(DataStoreError) -> timespec {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let times = [time, time]
        guard unsafe futimens(descriptor, times) == 0 else { throw failure("set the time of", path) }
        return time
    }
}

// Within the extension the names mean its own functions.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
