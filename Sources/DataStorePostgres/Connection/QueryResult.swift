import CDataStorePostgres
import DataStoreCore

/// The rows that a statement returned, in binary form.
///
/// - Safety: `@safe` because the object owns the `PGresult` and frees it once, and passes spans of it only to closures.
@safe
final class QueryResult {
    private let raw: OpaquePointer

    /// The number of rows.
    let count: Int

    /// Takes ownership of a `PGresult`.
    init(_ raw: OpaquePointer) {
        unsafe self.raw = unsafe raw
        count = Int(unsafe PQntuples(raw))
    }

    deinit { unsafe PQclear(raw) }

    /// Passes the bytes of a column to a closure. The bytes of NULL are empty.
    ///
    /// - Precondition: The row and the column exist.
    @inline(__always)
    func with<Result, Failure: Error>(
        _ row: Int, _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let length = Int(unsafe PQgetlength(raw, Int32(row), column))
        // libpq returns a pointer to `length` bytes, which stay valid until the result is freed.
        let start = unsafe UnsafeRawPointer(PQgetvalue(raw, Int32(row), column))?.assumingMemoryBound(to: UInt8.self)
        let bytes = unsafe UnsafeBufferPointer(start: start, count: unsafe start == nil ? 0 : length)
        return try body(unsafe bytes.span)
    }

    /// Returns the bytes of a column.
    func bytes(_ row: Int, _ column: Int32) -> [UInt8] { with(row, column) { [UInt8]($0) } }

    /// Returns the value of a column that is a `bigint`.
    func integer(_ row: Int, _ column: Int32) -> Int64 {
        with(row, column) { bytes in
            var value: UInt64 = 0
            for index in bytes.indices { value = value << 8 | UInt64(bytes[index]) }
            return Int64(bitPattern: value)
        }
    }

    /// The kind of the result.
    var status: ExecStatusType { unsafe PQresultStatus(raw) }

    /// The command tag of the executed statement, e.g. `COMMIT`.
    var tag: String { unsafe PQcmdStatus(raw).map { unsafe String(cString: $0) } ?? "" }

    /// Returns the field of the server's error that the protocol identifies by the given letter, or an empty string if
    /// the error has no such field.
    func field(_ code: Unicode.Scalar) -> String {
        guard let text = unsafe PQresultErrorField(raw, Int32(code.value)) else { return "" }
        return unsafe String(cString: text)
    }

    /// The number of bytes of a column.
    func byteCount(_ row: Int, _ column: Int32) -> Int { Int(unsafe PQgetlength(raw, Int32(row), column)) }
}
