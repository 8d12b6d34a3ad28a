import DataStoreCore
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

    /// Returns the current number of whole pages in the file. The number grows when a transaction extends the file.
    func pageCount() throws(DataStoreError) -> PageNumber {
        PageNumber(max(0, try file.status().size)) / PageNumber(pageSize)
    }

    /// Reads the two meta pages. A page is `nil` if it is beyond the end of the file or lacks the magic number.
    func metas() throws(DataStoreError) -> MetaPages {
        MetaPages(
            first: Meta(try bytes(at: 0, count: Meta.byteCount), index: 0),
            second: Meta(try bytes(at: pageSize, count: Meta.byteCount), index: 1), pageSize: pageSize)
    }

    /// Returns whether the creation of the file was interrupted. The file is then too short for both meta pages, and
    /// the first one belongs to transaction 0, so nothing was ever saved.
    func isPartiallyCreated() throws(DataStoreError) -> Bool {
        guard try pageCount() < 2 else { return false }
        let first = Meta(try bytes(at: 0, count: Meta.byteCount), index: 0)
        return first?.transaction == 0
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
}
