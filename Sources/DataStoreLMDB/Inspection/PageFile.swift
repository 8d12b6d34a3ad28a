import DataStoreSystem

/// The data file of an environment, read with system calls instead of through the memory map. If the file is
/// damaged, a read throws an error instead of crashing the process.
///
/// LMDB 0.9 defines the layout (`MDB_page`, `MDB_meta`, `MDB_node` in `mdb.c`).
final class PageFile: Sendable {
    /// The size of a page in bytes.
    let pageSize: Int

    private let file: File

    /// Wraps an open data file and determines its page size.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if the file is not an LMDB file.
    init(_ file: File) throws(DataStoreError) {
        self.file = file
        guard let pageSize = try PageFile.pageSize(file) else {
            throw DataStoreError.notAStore("data.mdb is not an LMDB file")
        }
        self.pageSize = pageSize
    }

    /// Returns the current size of the file in bytes. The size grows when a transaction extends the file.
    func byteCount() throws(DataStoreError) -> Int { Int(try file.status().size) }

    /// Returns the current number of whole pages in the file.
    func pageCount() throws(DataStoreError) -> PageNumber { PageNumber(try byteCount()) / PageNumber(pageSize) }

    /// Reads the two meta pages. A page is `nil` if it is beyond the end of the file or lacks the magic number.
    func metas() throws(DataStoreError) -> MetaPages {
        try MetaPages(pages: [meta(at: 0), meta(at: 1)], pageSize: pageSize)
    }

    private func meta(at index: Int) throws(DataStoreError) -> Meta? {
        Meta(try bytes(at: index * pageSize, count: Meta.byteCount), index: index)
    }

    /// Returns whether a data file is empty, or its creation was interrupted. The file is then too short for both meta
    /// pages, and the first one belongs to transaction 0, so nothing was ever saved.
    static func isNew(_ data: File) throws(DataStoreError) -> Bool {
        if try data.status().size == 0 { return true }
        let pages = try PageFile(data)
        guard try pages.pageCount() < 2 else { return false }
        return try pages.meta(at: 0)?.transaction == 0
    }

    /// Reads bytes of the file. Returns fewer bytes if the file ends early.
    func bytes(at offset: Int, count: Int) throws(DataStoreError) -> [UInt8] {
        try file.read(at: Int64(offset), count: count)
    }

    /// Returns the page size that the second meta page contains, or otherwise the one that the first meta page
    /// contains. Returns `nil` if neither contains a valid page size.
    ///
    /// The second meta page begins after one page, so the function searches for it at each valid page size.
    private static func pageSize(_ file: File) throws(DataStoreError) -> Int? {
        let first = Meta(try file.read(at: 0, count: Meta.byteCount), index: 0)
        let recordedSize = first.map(\.pageSize).flatMap { pageSizes.contains($0) ? $0 : nil }
        for size in [recordedSize].compactMap(\.self) + pageSizes {
            let second = Meta(try file.read(at: Int64(size), count: Meta.byteCount), index: 1)
            if second?.pageSize == size { return size }
        }
        return recordedSize
    }

    private static let pageSizes = (8...16).map { 1 << $0 }

    /// Checks a file without liblmdb. There is no read transaction that keeps pages from being reused, so the check is
    /// repeated if a writer may have changed them.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if another process changed the pages during each attempt.
    ///   `CancellationError` if the check is cancelled.
    func check(_ cancellation: Cancellation) throws -> LMDBDataStore.CheckReport {
        for _ in 0..<PageFile.attemptCount {
            let metas = try settledMetas()
            try metas.checkVersion()
            // Without an intact meta page, the findings of the meta pages are the whole report.
            guard let meta = metas.newest else { return LMDBDataStore.CheckReport(findings: metas.findings) }
            let snapshot = try Snapshot(self, meta: meta, in: metas)
            let report = try LMDBDataStore.CheckReport(of: snapshot, metas.findings, cancellation)
            if try snapshot.isUnchanged() { return report }
        }
        throw PageFile.isChanging
    }

    /// The error for pages that other processes change faster than this one can read them.
    static let isChanging = DataStoreError(.busy, "other processes are writing to the store; stop them and retry")

    private static let attemptCount = 3

    /// Reads the meta pages until two reads have the same result. A single read during a commit may return a
    /// half-written page.
    func settledMetas() throws(DataStoreError) -> MetaPages {
        var metas = try metas()
        while true {
            let again = try self.metas()
            if again == metas { return metas }
            metas = again
        }
    }

    /// Reads the meta pages, and throws an error if liblmdb would fail on them or the file is truncated.
    ///
    /// - Returns: The pages of the last transaction, which no read transaction keeps unchanged.
    /// - Throws: `DataStoreError` with the code `corrupted`, or `unsupportedFormat` if another version of LMDB wrote
    ///   both pages.
    @discardableResult
    func lastSnapshot() throws(DataStoreError) -> Snapshot {
        let metas = try settledMetas()
        let snapshot = try Snapshot(self, meta: metas.checkedLatest(), in: metas, isUnprotected: true)
        if snapshot.isTruncated { throw DataStoreError.damaged("data.mdb is truncated") }
        return snapshot
    }

    /// Returns the pages that a read transaction sees. Returns `nil` if its meta page was overwritten, or changed while
    /// it was read.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the meta page is damaged.
    func snapshot(of transaction: RawTransaction) throws(DataStoreError) -> Snapshot? {
        let number = UInt(transaction.number)
        let metas = try metas()
        let meta = metas.page(of: number)
        // The second commit after this transaction overwrites its meta page. If a second read returns the same page,
        // the first one has read it completely. The other page is not compared, because it may belong to an unfinished
        // commit or to a killed process.
        guard try self.metas().page(of: number) == meta, meta?.transaction ?? 0 <= number else { return nil }
        guard let meta, meta.transaction == number, meta.damage(pageSize: pageSize) == nil else {
            throw DataStoreError.damaged("a meta page of data.mdb is invalid")
        }
        return try Snapshot(self, meta: meta, in: metas)
    }
}

extension StoreFiles {
    /// Opens the data file in a directory, or the data file at the path itself, for an inspection.
    ///
    /// - Returns: The data file, open for reading, and whether the path is a directory that contains a lock file. If
    ///   the directory contains none, no process has the store open.
    /// - Throws: `DataStoreError` with the code `notAStore` if no data file exists.
    static func inspected(at path: String) throws(DataStoreError) -> (data: File, hasLockFile: Bool) {
        let entry = Path(path)
        // A path with a trailing slash may name a data file. A symbolic link may refer to a directory.
        let entryPath = entry.hasEntryName ? "\(entry.parent)/\(entry.name)" : path
        if try FileStatus.of(path: entryPath)?.kind == .regular, let file = try File.openForReading(entryPath) {
            return (file, false)
        }
        guard let directory = try directory(at: path), let file = try directory.open(dataName) else {
            throw DataStoreError.missing(path: path)
        }
        return (file, try directory.status(of: lockName) != nil)
    }
}
