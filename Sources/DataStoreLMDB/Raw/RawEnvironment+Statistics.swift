import CDataStoreLMDB
import DataStoreCore

extension RawEnvironment {
    /// Returns the numbers of the transactions that active reads see, in all processes.
    func readTransactions() -> [UInt64] {
        // `mdb_reader_list` passes the reader table as lines of text: process, thread, and transaction or a dash.
        final class Lines {
            var transactions: [UInt64] = []
        }
        let lines = Lines()
        // The pointer is used only during the call, and `lines` outlives the call.
        let context = unsafe Unmanaged.passUnretained(lines).toOpaque()
        _ = unsafe mdb_reader_list(
            pointer,
            { line, context in
                guard let line = unsafe line, let context = unsafe context else { return 0 }
                let lines = unsafe Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue()
                let words = unsafe String(cString: line).split { $0 == " " || $0 == "\n" }
                if let transaction = words.last.flatMap({ UInt64($0) }) { lines.transactions.append(transaction) }
                return 0
            }, context)
        return lines.transactions
    }
}

extension RawTransaction {
    /// The free list: liblmdb's own database of free pages.
    private static let freePages: MDB_dbi = 0

    /// Returns the number of free pages. Call it only in a read transaction.
    func freePageCount() throws(DataStoreError) -> Int {
        // The key is the number of a transaction, and the value lists the pages that it freed.
        let cursor = try cursor(in: RawTransaction.freePages)
        // The first word of a value is the number of pages that follow.
        func pageCount(_ value: Span<UInt8>) -> Int {
            unsafe value.withUnsafeBytes { bytes in
                unsafe bytes.count < MemoryLayout<Int>.size ? 0 : bytes.loadUnaligned(as: Int.self)
            }
        }
        var count = 0
        // The keys of this database are integers.
        let zero = [UInt8](repeating: 0, count: MemoryLayout<Int>.size)
        var found = try cursor.first(from: zero.span) { _, value in pageCount(value) }
        while let pages = found {
            count += pages
            found = try cursor.move(.next) { _, value in pageCount(value) }
        }
        return count
    }
}
