import CDataStoreLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import DataStoreCore

/// An error code of liblmdb or of the operating system. The two share one number space.
struct LMDBError: Error, CustomStringConvertible {
    let code: Int32

    static let mapFull = MDB_MAP_FULL
    static let readersFull = MDB_READERS_FULL
    static let inputOutput = EIO
    static let noSpace = ENOSPC
    static let noMemory = ENOMEM
    /// The file at the path is no longer the one that was opened.
    static let staleFile = ESTALE

    /// The message of liblmdb for the code.
    var description: String {
        // `mdb_strerror` returns a static string for every code.
        unsafe String(cString: mdb_strerror(code))
    }

    /// Throws an error if a call of liblmdb failed.
    @inline(__always)
    static func check(_ code: Int32, _ operation: String, path: String? = nil) throws(DataStoreError) {
        guard code != MDB_SUCCESS else { return }
        throw LMDBError(code: code).mapped(operation, path: path)
    }

    /// Returns the `DataStoreError` for the code. No other function maps codes.
    func mapped(_ operation: String, path: String? = nil) -> DataStoreError {
        let (mapped, reason): (DataStoreError.Code, String) =
            switch code {
            case MDB_MAP_FULL: (.full, "the store has reached its largest size; delete records or raise the bound")
            case MDB_READERS_FULL: (.full, "too many reads are under way in all processes; try again")
            case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
                (.corrupted, "the data file is damaged (\(self)); restore a backup")
            case MDB_INVALID: (.notAStore, "its data file is no LMDB file")
            case MDB_VERSION_MISMATCH: (.formatTooNew, "its data file is of another version of LMDB, or damaged")
            case MDB_MAP_RESIZED:
                (
                    .busy,
                    "another process has grown the store, and a read around this one keeps it from being mapped anew; "
                        + "end that first"
                )
            case ESTALE:
                (
                    .inputOutput,
                    "its files were replaced or removed while it was open; close the store and open it again"
                )
            case MDB_PANIC: (.inputOutput, "an earlier write to the disk failed; close the store and open it again")
            case ENOSPC, EDQUOT, EFBIG: (.full, "there is no room left (\(self)); make room and try again")
            case ENOMEM, EMFILE, ENFILE: (.full, "no memory or file descriptors left (\(self)); free some and retry")
            case EROFS: (.readOnly, "the file system can only be read")
            case EAGAIN, EBUSY: (.busy, "it is locked (\(self)); try again")
            default: (.inputOutput, "\(self)")
            }
        return DataStoreError(
            mapped, reason, operation: operation, path: path, errno: code > 0 ? code : nil, underlying: self)
    }
}

extension DataStoreError {
    /// The code of liblmdb or of the operating system that caused the error.
    var lmdbCode: Int32? { (underlying as? LMDBError)?.code }

    /// Whether the data have grown beyond the map. Only another process can cause this.
    var isMapResized: Bool { lmdbCode == MDB_MAP_RESIZED }

    /// Returns the error that every use of an inherited store throws in a child process.
    static func forked() -> DataStoreError {
        DataStoreError(
            .closed, "the process was forked after the store was opened; the child must open it again for itself")
    }
}
