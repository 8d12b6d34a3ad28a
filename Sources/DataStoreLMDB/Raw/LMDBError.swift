import CDataStoreLMDB

import DataStoreSystem

/// An error code of liblmdb or of the operating system. No code of liblmdb is also a code of the operating system.
struct LMDBError: Error, CustomStringConvertible {
    let code: Int32

    static let readersFull = MDB_READERS_FULL

    /// The message of liblmdb for the code.
    var description: String {
        // `mdb_strerror` returns a static string for every code.
        unsafe String(cString: mdb_strerror(code))
    }

    /// Throws a `DataStoreError` if a call of liblmdb failed.
    @inline(__always)
    static func check(_ code: Int32, _ operation: String) throws(DataStoreError) {
        guard code != MDB_SUCCESS else { return }
        throw LMDBError(code: code).mapped(operation)
    }

    /// Returns the `DataStoreError` for the code. No other function translates codes.
    func mapped(_ operation: String) -> DataStoreError {
        if code == MDB_INVALID { return .notAStore("data.mdb is not an LMDB file", underlying: self) }
        let (mapped, reason): (DataStoreError.Code, String) =
            switch code {
            case MDB_MAP_FULL: (.full, "the size limit of the store is reached; delete records or raise the limit")
            case MDB_READERS_FULL: (.full, "all reader slots of the store are in use; end some reads and retry")
            case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
                (.corrupted, DataStoreError.damaged("\(self)").reason)
            case MDB_VERSION_MISMATCH:
                (.unsupportedFormat, "data.mdb has another version of the LMDB format; use a newer program")
            case MDB_MAP_RESIZED:
                (.full, "another process has grown the store beyond the limit; close it, raise the limit and reopen it")
            case ESTALE:
                (.inputOutput, "the files were replaced or removed while open; close the store and open it again")
            case MDB_PANIC: (.inputOutput, "an earlier write to the disk failed; close the store and open it again")
            case EAGAIN, EBUSY: (.busy, "the store is locked; retry")
            case 1...: DataStoreError.meaning(ofErrorNumber: code)
            default: (.inputOutput, "\(self)")
            }
        return DataStoreError(mapped, reason, operation: operation, errno: code > 0 ? code : nil, underlying: self)
    }
}

extension DataStoreError {
    /// The code of the underlying ``LMDBError``, or `nil` if the error has none.
    var lmdbCode: Int32? { (underlying as? LMDBError)?.code }

    /// Whether the file system is read-only.
    var isReadOnlyFileSystem: Bool { errno == EROFS }

    /// Returns the error that every use of an inherited store throws in a child process.
    static func forked() -> DataStoreError {
        DataStoreError(.closed, "the process was forked after the store was opened; open it again in the child process")
    }
}
