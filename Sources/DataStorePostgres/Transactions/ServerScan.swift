import RecordFraming

/// The rows of a range of keys, which are fetched in pages. The first page is small, because many scans end early. Each
/// later page is up to four times as large as the page before it.
///
/// The server prepares a page while the caller visits the previous one: from the third page on, or if the scan has a
/// limit that the previous pages do not reach.
final class ServerScan {
    private static let maximumRowCount = 2048
    /// The maximum number of rows of the first page, whose size in bytes is unknown.
    private static let maximumFirstRowCount = 256
    /// The approximate maximum size of a page in bytes. The page fits into the buffer of a socket, so that the server
    /// need not wait for the client.
    private static let pageByteCount = 128 << 10

    private let transaction: ServerTransaction
    private let scan: Scan
    private let statement: Statement
    private var lower: [UInt8]
    private var upper: [UInt8]
    /// The key of the last row of the previous page. The next page begins with this row, which the server skips. If
    /// another row has the same key, the server does not skip it.
    private var last: [UInt8]?
    private var rowCount: Int
    /// The number of rows up to the limit of the scan that no page has contained yet, or `nil` if it has no limit.
    private var missingCount: Int?
    private var isOver = false
    private var page: QueryResult?
    private var rowNumber = 0

    /// Creates a scan.
    ///
    /// - Parameters:
    ///   - scan: The range of keys and their order. If the caller continues, the pages exceed its limit, because the
    ///     caller may skip records.
    ///   - transaction: The transaction that fetches the pages.
    ///   - keysOnly: Whether to fetch keys without records.
    init(_ scan: Scan, in transaction: ServerTransaction, keysOnly: Bool = false) {
        missingCount = scan.limit
        self.transaction = transaction
        self.scan = scan
        statement =
            keysOnly
            ? (scan.isReversed ? .descendingKeys : .ascendingKeys) : (scan.isReversed ? .descending : .ascending)
        (lower, upper) = KeyBytes.withBounds(of: scan.ids, in: scan.collection) { ([UInt8]($0), [UInt8]($1)) }
        rowCount = min(missingCount ?? 32, ServerScan.maximumFirstRowCount)
    }

    /// Requests the first page. The server receives the request together with the next query of the transaction.
    func prefetch() { transaction.prefetch(statement, parameters, flushing: false) }

    /// Moves to the next row, and returns its page. Returns `nil` if no row is left.
    ///
    /// - Throws: `DataStoreError`. The code is `corrupted` if a key occurs twice or is not in order.
    func next() throws(DataStoreError) -> QueryResult? {
        rowNumber += 1
        if rowNumber >= page?.count ?? 0 {
            page = try nextPage()
            rowNumber = 0
        }
        return page
    }

    /// Returns the key of the current row.
    func key(in page: QueryResult) throws(DataStoreError) -> Key {
        try page.with(rowNumber, 0) { bytes throws(DataStoreError) in
            try KeyBytes.stored(bytes.extracting(droppingFirst: idStart), in: scan.collection)
        }
    }

    private var idStart: Int { scan.collection.utf8.count + 1 }

    /// Passes the id and a view of the record of the current row to a closure after verifying the checksum. The scan
    /// must not be one of keys only.
    func view<Result>(
        in page: QueryResult, _ body: (Span<UInt8>, borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        do throws(DataStoreError) {
            return try page.with(rowNumber, 0) { key throws(DataStoreError) in
                try page.with(rowNumber, 1) { frame throws(DataStoreError) in
                    try transaction.stored.view(frame, of: key) { view throws(DataStoreError) in
                        try body(key.extracting(droppingFirst: idStart), view)
                    }
                }
            }
        } catch {
            throw error.adding(operation: "read a record", key: try key(in: page))
        }
    }

    private func nextPage() throws(DataStoreError) -> QueryResult? {
        guard !isOver else { return nil }
        let page = try transaction.query(statement, parameters)
        try verifyOrder(of: page)
        missingCount = missingCount.map { $0 - page.count }
        isOver = page.count < rowCount
        if isOver { return page.count == 0 ? nil : page }
        let isFirst = last == nil
        let key = page.bytes(rowCount - 1, 0)
        last = key
        // The smallest key after another one is that key and a 0 byte.
        if scan.isReversed { upper = key + [0] } else { lower = key }
        // The next page has at most about `pageByteCount` bytes if its rows are as large as those of this page.
        let fitting = max(1, ServerScan.pageByteCount / max(1, page.byteCount / page.count))
        rowCount = min(rowCount * 4, fitting, ServerScan.maximumRowCount)
        if let missingCount, missingCount > 0 { rowCount = min(rowCount, missingCount) }
        if missingCount.map({ $0 > 0 }) ?? !isFirst { transaction.prefetch(statement, parameters) }
        return page
    }

    private var parameters: [[UInt8]] { [lower, upper, .bigint(rowCount), .bigint(last == nil ? 0 : 1)] }

    /// A damaged index of the server, or a table without its primary key, may return a row twice or out of order.
    private func verifyOrder(of page: QueryResult) throws(DataStoreError) {
        func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
            scan.isReversed ? right.precedes(left) : left.precedes(right)
        }
        for row in 0..<page.count {
            let isOrdered = page.with(row, 0) { key in
                if row > 0 { return page.with(row - 1, 0) { precedes($0, key) } }
                return last.map { precedes($0.span, key) } ?? true
            }
            guard isOrdered else { throw ServerTransaction.duplicateError(page.bytes(row, 0)) }
        }
    }
}
