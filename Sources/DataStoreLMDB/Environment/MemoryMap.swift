import DataStoreCore
import DataStoreSystem
import Synchronization

/// The memory map of an environment. It grows when the data outgrows it.
///
/// Growing moves the map, and a read from the old address would crash. The map therefore grows only while new reads
/// wait, active reads have finished, and no write is active.
final class MemoryMap: Sendable {
    /// The proof that the current thread holds the lock of the map.
    struct Lock: ~Copyable {
        fileprivate init() {}
    }

    let raw: RawEnvironment
    /// The identity of the mapped file.
    let file: FileID
    private let maximumByteCount: Int?
    /// A lock that the writer thread holds during each of its transactions, and that any thread holds while it changes
    /// the map. The state has no meaning. It is a `Bool`, because the thread sanitizer confuses a zero-sized state with
    /// the memory beside it.
    private let changing = Monitor(false)

    private let pageSize: UInt
    /// The start address of the map, or 0 if no read has computed it since the map was moved.
    private let start: Atomic<UInt>

    init(_ raw: RawEnvironment, file: FileID, maximumByteCount: Int?) throws(DataStoreError) {
        self.raw = raw
        self.file = file
        self.maximumByteCount = maximumByteCount
        let region = try raw.mapRegion()
        pageSize = region.pageSize
        start = Atomic(region.start)
    }

    /// Determines the address of the map and the page size. They stay the same while a read is active.
    ///
    /// - Parameter transaction: The transaction of the read.
    /// - Returns: The address and the page size.
    /// - Throws: `DataStoreError` if the first record cannot be read.
    func region(in transaction: RawTransaction) throws(DataStoreError) -> MapRegion {
        // No read is active while the map changes.
        let known = start.load(ordering: .relaxed)
        if known != 0 { return MapRegion(start: known, pageSize: pageSize) }
        let region = try raw.mapRegion(in: transaction)
        start.store(region.start, ordering: .relaxed)
        return region
    }

    /// Returns the number of the last transaction of any process.
    func lastTransaction() throws(DataStoreError) -> UInt64 {
        // liblmdb reads the number from the map, which must not move meanwhile.
        try locked { _ throws(DataStoreError) in try raw.lastTransaction() }
    }

    /// Begins a read transaction. If the lock file has no free slot, waits up to about two seconds for one, and then
    /// throws `DataStoreError` with the code `full`.
    func beginRead() throws(DataStoreError) -> RawTransaction {
        var pause = 1
        while true {
            do throws(DataStoreError) {
                return try raw.begin(readOnly: true)
            } catch  where error.lmdbCode == LMDBError.readersFull {
                _ = raw.clearDeadReaders()
                for pool in EnvironmentRegistry.shared.pools(of: file) { pool.endIdleReaders() }
                guard pause <= 1024 else { throw error }
                Thread.sleep(milliseconds: pause)
                pause *= 2
            }
        }
    }

    /// Runs a closure while no other thread can change the map.
    func locked<Result, Failure: Error>(_ body: (borrowing Lock) throws(Failure) -> Result) throws(Failure) -> Result {
        try changing.withLock { _ throws(Failure) in try body(Lock()) }
    }

    /// Begins a write transaction. If another process has enlarged the data beyond the map, the map grows first.
    func beginWrite(_ lock: borrowing Lock) throws(DataStoreError) -> RawTransaction {
        // Other processes may enlarge the data again while this process waits for its turn. Each attempt at least
        // doubles the map.
        for _ in 0..<Int.bitWidth {
            do throws(DataStoreError) {
                return try raw.begin(readOnly: false)
            } catch  where error.isMapResized {
                try follow(lock)
            }
        }
        return try raw.begin(readOnly: false)
    }

    /// Grows the map to include data that another process has added. The current thread must not be reading, because
    /// the function waits until all reads of the map have finished.
    func adopt() throws(DataStoreError) { try locked(follow) }

    /// Grows the map to include all data that another process has added.
    ///
    /// The size is doubled until the data fits. If the address space has no room for this size, the map grows only as
    /// far as the data require.
    private func follow(_ lock: borrowing Lock) throws(DataStoreError) {
        let (pageSize, pageCount) = try raw.extent()
        let (old, needed) = (try raw.mapByteCount(), pageSize * pageCount)
        // Another thread may have grown the map already.
        guard old < needed else { return }
        var new = old
        while new < needed { new = new > .max / 2 ? needed : 2 * new }
        if !RawEnvironment.canMap(byteCount: new) { new = needed }
        guard RawEnvironment.canMap(byteCount: new) else {
            throw LMDBError(code: LMDBError.noMemory).mapped("grow the memory map")
        }
        try setByteCount(new)
    }

    /// Doubles the size of the map, up to the maximum size, because the data no longer fit. No write transaction may be
    /// active.
    ///
    /// - Returns: The new size in bytes, or `nil` if the map cannot grow further.
    func grow(_ lock: borrowing Lock) throws(DataStoreError) -> Int? {
        let old = try raw.mapByteCount()
        let (doubled, isBeyond) = old.multipliedReportingOverflow(by: 2)
        let new = min(maximumByteCount ?? .max, isBeyond ? .max : doubled)
        guard new > old, RawEnvironment.canMap(byteCount: new) else { return nil }
        try setByteCount(new)
        return new
    }

    private func setByteCount(_ byteCount: Int) throws(DataStoreError) {
        try EnvironmentRegistry.shared.pausingReads(of: file) { () throws(DataStoreError) in
            start.store(0, ordering: .relaxed)
            try raw.setMapByteCount(byteCount)
        }
    }
}
