import DataStoreCore
import DataStoreFiles

/// The environment as it is mapped into memory: how large the map is, and how it gets larger.
///
/// To map the file anew moves it, and whatever still reads at the old place would crash. So reads are paused first,
/// those under way run to their end, and no write is under way.
final class MemoryMap: Sendable {
    let raw: RawEnvironment
    /// Which file is mapped.
    let file: FileID
    private let maximumByteCount: Int?
    /// Held by the writer for each of its transactions, and by who changes the map.
    /// (Not an empty state: the thread sanitizer takes one of no size for what lies beside it.)
    private let changing = Monitor(false)

    init(_ raw: RawEnvironment, file: FileID, maximumByteCount: Int?) {
        self.raw = raw
        self.file = file
        self.maximumByteCount = maximumByteCount
    }

    /// Begins a read transaction. Where the lock file has no slot left, waits for one a while.
    func beginRead() throws(DataStoreError) -> RawTransaction {
        var pause = 1
        while true {
            do throws(DataStoreError) {
                return try raw.begin(readOnly: true)
            } catch  where error.lmdbCode == LMDBError.readersFull {
                _ = raw.clearDeadReaders()
                for pool in EnvironmentRegistry.shared.pools(of: file) { pool.endIdle() }
                guard pause <= 1024 else { throw error }
                Thread.sleep(milliseconds: pause)
                pause *= 2
            }
        }
    }

    /// Runs a write while the map stays as it is.
    func locked<Result>(_ body: () -> Result) -> Result { changing.withLock { _ in body() } }

    /// Begins a write transaction; the map is locked. Where another process has grown the data beyond it, grows it
    /// first.
    func makeWriter() throws(DataStoreError) -> Writer {
        // While it waits for its turn, others may grow the data again: each time the map becomes twice as large.
        for _ in 0..<Int.bitWidth {
            do throws(DataStoreError) {
                return try Writer(raw)
            } catch  where error.isMapResized {
                try follow()
            }
        }
        return try Writer(raw)
    }

    /// Makes the map as large as the data that another process has added. No read of this thread is under way.
    func adopt() throws(DataStoreError) { try changing.withLock { _ throws(DataStoreError) in try follow() } }

    /// The same with the map locked. It is not made as large as the other process has made it, which may have more
    /// address space.
    private func follow() throws(DataStoreError) {
        let (pageSize, pageCount) = try raw.extent()
        let (old, needed) = (try raw.mapByteCount(), pageSize * pageCount)
        // Another read may have been quicker.
        guard old < needed else { return }
        var new = old
        while new < needed { new = new > .max / 2 ? needed : 2 * new }
        if !RawEnvironment.canMap(byteCount: new) { new = needed }
        guard RawEnvironment.canMap(byteCount: new) else {
            throw LMDBError(code: LMDBError.noMemory).mapped("make the map larger")
        }
        try change { () throws(DataStoreError) in try raw.setMapByteCount(new) }
    }

    /// Makes the map larger, as the data no longer fit; the map is locked, and no write is under way.
    ///
    /// - Returns: the new size, or nil where it has reached its bound.
    func grow() throws(DataStoreError) -> Int? {
        let old = try raw.mapByteCount()
        let (doubled, isBeyond) = old.multipliedReportingOverflow(by: 2)
        let new = min(maximumByteCount ?? .max, isBeyond ? .max : doubled)
        guard new > old, RawEnvironment.canMap(byteCount: new) else { return nil }
        try change { () throws(DataStoreError) in try raw.setMapByteCount(new) }
        return new
    }

    private func change(_ body: () throws(DataStoreError) -> Void) throws(DataStoreError) {
        try EnvironmentRegistry.shared.pausingReads(of: file, body)
    }
}
