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
        let old = try open(name)
        let new = try UnfinishedFile(name, in: self, "saving")
        try new.file.write(bytes)
        if let old { try new.file.setPermissions(like: old) }
        let changed = try new.file.touch()
        try new.finish()
        do throws(DataStoreError) {
            guard let opened = try open(name) else { return nil }
            let stamp = try opened.stamp()
            let isNew = try stamp.status.id == new.file.status().id
            guard isNew, stamp.status.size == bytes.count, stamp.changed == changed else { return nil }
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
        try removeTemporaryFiles("unfinished")
        let new = try UnfinishedFile(name, in: self, "unfinished")
        try new.file.write(bytes)
        return try new.finish(replaces: false)
    }

    /// Removes the temporary files `.NAME.KIND-RANDOM` that killed processes of this user have left. The files of
    /// running processes are locked, and are kept.
    ///
    /// - Parameters:
    ///   - kind: The kind in the names of the files.
    ///   - name: The name for which the files were created, or `nil` for any name.
    /// - Throws: `DataStoreError` if the directory cannot be listed.
    package func removeTemporaryFiles(_ kind: String, for name: String? = nil) throws(DataStoreError) {
        for leftover in try temporaryNames(for: name, kind) {
            do throws(DataStoreError) {
                guard let file = try open(leftover), try file.status().isOwn else { continue }
                try file.lockShared(byte: 0)
                remove(leftover)
            } catch {
                // The file is locked, is a directory, or cannot be opened. A remaining file only wastes space.
            }
        }
    }
}
