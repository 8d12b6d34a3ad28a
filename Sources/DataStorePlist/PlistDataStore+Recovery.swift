import DataStoreSystem

extension PlistDataStore {
    /// Copies the file to a new path, byte for byte, while programs use it. The copy includes the entries of other
    /// programs.
    ///
    /// The copy has mode 0600 and is durable when this function returns. A damaged file is not copied.
    ///
    /// - Parameter path: The path of the copy, which must not exist.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `notAStore` if the path exists or the store has no file yet.
    ///   - `corrupted` if the file is damaged.
    ///   - `full` if the disk is full.
    ///   - `inputOutput` if the copy cannot be written.
    public func backup(to path: String) async throws {
        try await DataStoreError.adding(operation: "back up the store", path: self.path) {
            let target = try Path.absolute(path)
            try await Thread.run { [self] _ in try file.backUp(to: target) }
        }
    }

    /// Restores the intact records and the intact entries of other programs from a damaged file. It does not guess lost
    /// values.
    ///
    /// The damaged file is kept beside the new one, byte for byte, as `NAME.damaged-1` or the next free number. The new
    /// file replaces the damaged one atomically. Stores that have the file open continue with the new file. An intact
    /// file is not changed. After an error, the file is unchanged, unless only the sync of the directory failed.
    ///
    /// - In a truncated XML file, each complete record or entry is recovered.
    /// - In an XML file with a damaged part, the entries after that part are recovered, too. This requires the
    ///   indentation that this store and other programs write.
    /// - In a binary file, a record or an entry is recovered if all its objects are intact and the dictionaries that
    ///   contain it are readable. The end of the file may be missing.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: A report on the recovered and the lost parts.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `noStore` if the file does not exist, or `notAStore` if it was never a store.
    ///   - `unsupportedFormat` if a newer program wrote the file.
    ///   - `busy` if another process holds the lock.
    ///   - `full` if the disk is full.
    ///   - `inputOutput` if a file cannot be read or written.
    public static func recover(_ path: String) async throws -> RecoveryReport {
        try await DataStoreError.adding(operation: "recover the store", path: path) {
            let file = PlistFile(path: try Path.absolute(path), newFormat: .xml, lockTimeout: .seconds(30))
            return try await Thread.run { _ in try file.recover() }
        }
    }

}

extension PlistFile {
    /// Replaces a damaged file with a file of its intact parts, and keeps the damaged file under another name.
    func recover() throws(DataStoreError) -> RecoveryReport {
        guard try exists() else { throw DataStoreError.missing() }
        return try withLock { location, _ throws(DataStoreError) in
            guard let read = try location.read() else { throw DataStoreError.missing() }
            let contents = try PlistContents(recovering: read.bytes)
            let losses = contents.losses
            if losses.isEmpty { return RecoveryReport(savedCount: contents.entries.count, losses: []) }
            let damagedFile = try location.keep(read.bytes, as: "damaged")
            _ = try location.directory.replace(location.name, with: contents.serialized())
            let mayLackMore = losses.contains(where: \.hidesMore)
            return RecoveryReport(
                savedCount: contents.entries.count,
                losses: losses.map(\.description) + (mayLackMore ? ["more records or entries may be lost"] : []),
                lostKeys: losses.compactMap { if case .record(let name) = $0.part { name } else { nil } },
                damagedFile: damagedFile)
        }
    }

    /// Replaces the file with a copy of a backup, and keeps the old one as `NAME.replaced-1` or the next free number.
    /// Stores that have the file open continue with the new one. Throws an error if the backup is damaged.
    ///
    /// - Returns: The path of the old file.
    func restore(from backup: String) throws(DataStoreError) -> String {
        guard let new = try PlistLocation.resolve(backup)?.read() else { throw DataStoreError.missing() }
        _ = try PlistContents(new.bytes)
        return try withLock { location, _ throws(DataStoreError) in
            guard let old = try location.read() else { throw DataStoreError.missing() }
            let kept = try location.keep(old.bytes, as: "replaced")
            _ = try location.directory.replace(location.name, with: new.bytes)
            return kept
        }
    }

    /// Copies the file to a new path. Throws an error if the file is damaged.
    func backUp(to target: String) throws(DataStoreError) {
        guard let read = try PlistLocation.resolve(path)?.read() else { throw DataStoreError.missing() }
        _ = try PlistContents(read.bytes)
        let (directory, name) = try Directory.forNewEntry(at: target, "file")
        guard try directory.create(name, with: read.bytes) else { throw DataStoreError.exists(target) }
    }
}
