// Failures that several kinds of stores have in common. Each has one text, whatever the store.
extension DataStoreError {
    /// Returns the error for a path at which something other than a store exists.
    ///
    /// - Parameters:
    ///   - found: What exists there, e.g. `a directory`.
    ///   - path: The path.
    ///   - underlying: The cause.
    /// - Returns: The error, with the code `notAStore`.
    package static func notAStore(
        _ found: String, path: String? = nil, underlying: (any Error)? = nil
    ) -> DataStoreError {
        DataStoreError(.notAStore, "not a store (\(found)); choose another path", path: path, underlying: underlying)
    }

    /// Returns the error for an operation that requires an existing store.
    package static func missing(path: String? = nil) -> DataStoreError {
        DataStoreError(.notAStore, "the store does not exist; check the path", path: path)
    }

    /// Returns the error for a backup to an existing path.
    package static func exists(_ path: String) -> DataStoreError {
        DataStoreError(.notAStore, "\(path.escapingControlCharacters) already exists; choose a new path")
    }

    /// Returns the error for a damaged store.
    ///
    /// - Parameters:
    ///   - damage: The damage and its position.
    ///   - underlying: The cause.
    /// - Returns: The error, with the code `corrupted`.
    package static func damaged(_ damage: String, underlying: (any Error)? = nil) -> DataStoreError {
        DataStoreError(
            .corrupted, "the store is damaged (\(damage)); recover its intact records or restore a backup",
            underlying: underlying)
    }

    /// Returns the error for a store in an unknown format.
    ///
    /// - Parameters:
    ///   - version: The version of the format.
    ///   - known: The highest version that this program knows.
    /// - Returns: The error, with the code `formatTooNew`.
    package static func newerFormat(_ version: Int64, than known: Int64) -> DataStoreError {
        DataStoreError(
            .formatTooNew, "format version \(version) is not supported, only up to \(known); use a newer program")
    }

    /// Returns the error of every use of a store after `close()`.
    package static func closed(path: String? = nil) -> DataStoreError {
        DataStoreError(.closed, "the store is closed; open it again", path: path)
    }
}
