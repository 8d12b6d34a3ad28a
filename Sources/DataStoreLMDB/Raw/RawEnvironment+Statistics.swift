import CDataStoreLMDB
import DataStoreCore

extension RawEnvironment {
    /// The transactions that the reads under way see, in all processes.
    func readTransactions() -> [UInt64] {
        // The library shows the table of readers as lines of text: process, thread, and the transaction or a dash.
        final class Lines {
            var transactions: [UInt64] = []
        }
        let lines = Lines()
        // The pointer is used only during the call, and `lines` lives as long.
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
    /// The library's own database of pages that are free.
    private static let freePages: MDB_dbi = 0

    /// How many pages are free. Only a read transaction may ask.
    func freePageCount() throws(DataStoreError) -> Int {
        // Under the number of a transaction, the pages that it freed.
        let cursor = try cursor(in: RawTransaction.freePages)
        // The first word says how many follow.
        func pageCount(_ value: Span<UInt8>) -> Int {
            unsafe value.withUnsafeBytes { bytes in
                unsafe bytes.count < MemoryLayout<Int>.size ? 0 : bytes.loadUnaligned(as: Int.self)
            }
        }
        var count = 0
        // Keys of this database are integers.
        let zero = [UInt8](repeating: 0, count: MemoryLayout<Int>.size)
        var found = try cursor.first(from: zero.span) { _, value in pageCount(value) }
        while let pages = found {
            count += pages
            found = try cursor.go(.next) { _, value in pageCount(value) }
        }
        return count
    }
}
