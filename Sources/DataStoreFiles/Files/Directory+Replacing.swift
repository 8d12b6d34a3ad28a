package import DataStoreCore

extension Directory {
    /// Replaces the contents of a file atomically, and makes the change durable.
    ///
    /// - Parameters:
    ///   - name: The name of the file, which need not exist. A symbolic link with this name is replaced and not
    ///     followed.
    ///   - old: The attributes of the existing file. The new file gets its permissions and, if possible, its owner. If
    ///     `nil`, the new file gets the mode 0600.
    ///   - bytes: The new contents.
    /// - Returns: The new file, open for reading, and its stamp. The result is `nil` if the file has been changed or
    ///   replaced in the meantime, if it cannot be opened, or if the file system does not store the exact modification
    ///   time.
    /// - Throws: `DataStoreError` if the file cannot be replaced. The file is unchanged, unless only the sync of the
    ///   directory failed.
    package func replace(
        _ name: String, like old: FileStatus?, with bytes: [UInt8]
    ) throws(DataStoreError) -> (file: File, stamp: FileStamp)? {
        let (temporary, file) = try createTemporary(for: name, "saving")
        let changed: Int64
        do throws(DataStoreError) {
            try file.write(bytes)
            try file.setPermissions(like: old)
            changed = try file.touch()
            try file.sync()
            try syncing { () throws(DataStoreError) in try rename(temporary, to: name) }
        } catch {
            remove(temporary)
            throw error
        }
        do throws(DataStoreError) {
            guard let opened = try open(name, .read) else { return nil }
            let stamp = try opened.stamp()
            guard try stamp.status.id == file.status().id, stamp.status.size == bytes.count, stamp.changed == changed
            else { return nil }
            return (opened, stamp)
        } catch {
            // The new contents are durable. The next access opens the file again and reports an error that remains.
            return nil
        }
    }

    /// Creates a file with contents and makes it durable.
    ///
    /// - Returns: Whether the file was created. It is `false` if the name exists.
    package func create(_ name: String, with bytes: [UInt8]) throws(DataStoreError) -> Bool {
        let (temporary, file) = try createTemporary(for: name, "saving")
        do throws(DataStoreError) {
            try file.write(bytes)
            try file.sync()
            let isCreated = try syncing { () throws(DataStoreError) in try renameExclusively(temporary, to: name) }
            if !isCreated { remove(temporary) }
            return isCreated
        } catch {
            remove(temporary)
            throw error
        }
    }

    /// Removes the temporary files of processes that were killed while they wrote a file.
    ///
    /// The caller must hold the lock that each process holds while it writes the file. Otherwise this function could
    /// remove the temporary file of a running process.
    package func removeTemporaryFiles(for name: String) throws(DataStoreError) {
        for leftover in try temporaryNames(for: name, "saving") { remove(leftover) }
    }
}
