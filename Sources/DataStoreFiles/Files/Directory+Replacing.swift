package import DataStoreCore

extension Directory {
    /// Replaces the contents of a file atomically, and makes the change durable. The new file gets the permissions, the
    /// extended attributes, the access control list and, if possible, the owner of the old one. Without an old file, it
    /// gets the mode 0600.
    ///
    /// - Parameters:
    ///   - name: The name of the file, which need not exist.
    ///   - bytes: The new contents.
    /// - Returns: The new file, open for reading, and its stamp. The result is `nil` if the file has been changed or
    ///   replaced in the meantime, if it cannot be opened, or if the file system does not store the exact modification
    ///   time.
    /// - Throws: `DataStoreError` if the file cannot be replaced, e.g. because it is not a regular file. The file is
    ///   unchanged, unless only the sync of the directory failed.
    package func replace(
        _ name: String, with bytes: [UInt8]
    ) throws(DataStoreError) -> (file: File, stamp: FileStamp)? {
        let old = try open(name, .read)
        let (temporary, file) = try createTemporary(for: name, "saving")
        let changed: Int64
        do throws(DataStoreError) {
            try file.write(bytes)
            if let old { try file.setPermissions(like: old) }
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
