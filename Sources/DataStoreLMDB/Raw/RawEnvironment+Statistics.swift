import CDataStoreLMDB
import DataStoreCore

extension RawEnvironment {
    /// Returns the numbers of the transactions that running reads see, in all processes.
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
