// Failures that several kinds of stores have in common. Each failure has the same message in every store.
extension DataStoreError {
    /// Returns an error which states that something other than a store exists at a path.
    ///
    /// - Parameters:
    ///   - found: A description of the existing file, e.g. `a directory`.
    ///   - path: The path of the existing file, or `nil` if the caller adds it later.
    ///   - underlying: The error that caused this one, or `nil` if no other error did.
    /// - Returns: The error, with the code `notAStore`.
    package static func notAStore(
        _ found: String, path: String? = nil, underlying: (any Error)? = nil
    ) -> DataStoreError {
        DataStoreError(.notAStore, "not a store (\(found)); choose another path", path: path, underlying: underlying)
    }

    /// Returns an error which states that an operation requires an existing store, but none exists at the path.
    package static func missing(path: String? = nil) -> DataStoreError {
        DataStoreError(.notAStore, "the store does not exist; check the path", path: path)
    }

    /// Returns an error which states that the path for a backup already exists.
    package static func exists(_ path: String) -> DataStoreError {
        DataStoreError(.notAStore, "\(path.escapingControlCharacters) already exists; choose a new path")
    }

    /// Returns an error which states that a store is damaged.
    ///
    /// - Parameters:
    ///   - damage: A description of the damage and its position.
    ///   - underlying: The error that caused this one, or `nil` if no other error did.
    /// - Returns: The error, with the code `corrupted`.
    package static func damaged(_ damage: String, underlying: (any Error)? = nil) -> DataStoreError {
        DataStoreError(
            .corrupted, "the store is damaged (\(damage)); run profile-cli store check, or restore a backup",
            underlying: underlying)
    }

    /// Returns an error which states that a newer program wrote a store in a format that this program cannot read.
    ///
    /// - Parameters:
    ///   - version: The version of the store's format.
    ///   - known: The highest version that this program can read.
    /// - Returns: The error, with the code `formatTooNew`.
    package static func newerFormat(_ version: Int64, than known: Int64) -> DataStoreError {
        DataStoreError(
            .formatTooNew, "format version \(version) is not supported, only up to \(known); use a newer program")
    }

    /// Returns the error for the use of a store after `close()`.
    package static func closed(path: String? = nil) -> DataStoreError {
        DataStoreError(.closed, "the store is closed; open it again", path: path)
    }
}
