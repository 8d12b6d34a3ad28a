#if Sealing
public import DataStoreCore
import DataStoreSystem

extension SealingKey {
    /// Writes the key to a new file, which only its owner may read (mode 0600), and makes the file durable.
    ///
    /// An existing file is never changed. To add a key to a file, append the line of another key file. The last line is
    /// the key for new stores; the others open stores that name their numbers.
    ///
    /// - Parameter path: The path of the file. Its directory must exist.
    /// - Throws: `DataStoreError` with the code `misuse` if something exists at the path or the key was derived from a
    ///   passphrase, or another code, e.g. `inputOutput`, if the file cannot be written. It does not exist then.
    public func write(toNewFileAt path: String) throws(DataStoreError) {
        let operation = "write the key file"
        guard derivation == nil else {
            throw DataStoreError(
                .misuse, "the key is derived from a passphrase; keep the passphrase", operation: operation)
        }
        do throws(DataStoreError) {
            let entry = Path(path)
            let directory = try Directory(entry.parent)
            try directory.checkPermissions()
            guard entry.hasEntryName, let file = try directory.create(entry.name) else {
                throw DataStoreError(.misuse, "it already exists, and a key file is never replaced", path: path)
            }
            do throws(DataStoreError) {
                try Thread.withoutFileSizeSignal { () throws(DataStoreError) in try file.write(Array(text.utf8)) }
                try file.sync()
                try directory.sync()
            } catch {
                directory.remove(entry.name)
                throw error
            }
        } catch {
            throw error.adding(operation: operation, path: path)
        }
    }

    /// Returns the key with a number from a key file.
    ///
    /// Only the owner may have access to the file, and the file must belong to the user of the process. A symbolic link
    /// is not followed, because whoever controls it could choose the key.
    ///
    /// - Parameters:
    ///   - number: The number of the key, or `nil` for the key in the last line.
    ///   - path: The path of the file.
    /// - Returns: The key, or `nil` if the file does not exist or has no key with the number.
    /// - Throws: `DataStoreError` with the code `sealingKeyUnavailable` if the file cannot or must not be read, or
    ///   `wrongSealingKey` if it contains something else.
    static func read(_ number: UInt32?, fromFileAt path: String) throws(DataStoreError) -> SealingKey? {
        let bytes: [UInt8]
        do throws(DataStoreError) {
            let entry = Path(path)
            guard let file = try Directory.ifExists(entry.parent)?.open(entry.name) else { return nil }
            let status = try file.status()
            guard status.isOwn else {
                throw unavailable("the key file \(path) belongs to another user; its owner must be this user", nil)
            }
            guard status.permissions & 0o077 == 0 else {
                throw unavailable("other users have access to the key file \(path); run chmod 600 on it", nil)
            }
            bytes = try file.read(at: 0, count: maximumTextByteCount + 1)
        } catch {
            guard error.code != .sealingKeyUnavailable else { throw error }
            throw unavailable("the key file \(path) cannot be read (\(error.reason))", error)
        }
        return try find(number, inText: bytes, of: "the file \(path)")
    }

    private static func unavailable(_ reason: String, _ cause: DataStoreError?) -> DataStoreError {
        .sealingKeyUnavailable(reason, underlying: cause)
    }
}
#endif
