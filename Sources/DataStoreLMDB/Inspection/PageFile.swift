import DataStoreCore
import DataStoreFiles

/// The data file of an environment, read by plain calls instead of through the map: whatever is in it, nothing worse
/// can come of it than an error.
///
/// The layout is that of LMDB 0.9 (`MDB_page`, `MDB_meta`, `MDB_node` in `mdb.c`).
final class PageFile: Sendable {
    /// How many bytes a page has.
    let pageSize: Int

    private let file: File

    /// Reads an open data file.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if it is not an LMDB file.
    init(_ file: File) throws(DataStoreError) {
        self.file = file
        guard let pageSize = try PageFile.pageSize(file) else {
            throw DataStoreError(.notAStore, "its data.mdb is not an LMDB file")
        }
        self.pageSize = pageSize
    }

    /// How many whole pages there are now: the file may grow.
    func pageCount() throws(DataStoreError) -> PageNumber {
        PageNumber(max(0, try file.status().size)) / PageNumber(pageSize)
    }

    /// The two meta pages; nil in place of one that is beyond the end or has not the magic number of one.
    func metas() throws(DataStoreError) -> MetaPages {
        MetaPages(
            first: Meta(try bytes(at: 0, count: Meta.byteCount), index: 0),
            second: Meta(try bytes(at: pageSize, count: Meta.byteCount), index: 1), pageSize: pageSize)
    }

    /// Whether the file was not made to the end: it has not room for both meta pages, and the first one is of no
    /// transaction, so nothing was ever saved in it.
    func isHalfMade() throws(DataStoreError) -> Bool {
        guard try pageCount() < 2 else { return false }
        let first = Meta(try bytes(at: 0, count: Meta.byteCount), index: 0)
        return first?.transaction == 0
    }

    /// Bytes of the file; fewer where it ends.
    func bytes(at offset: Int, count: Int) throws(DataStoreError) -> [UInt8] {
        try file.read(at: Int64(offset), count: count)
    }

    /// Finds out how large pages are: both meta pages say so, and the second one stands after one page.
    private static func pageSize(_ file: File) throws(DataStoreError) -> Int? {
        let first = Meta(try file.read(at: 0, count: Meta.byteCount), index: 0)
        let told = first.map(\.pageSize).flatMap { pageSizes.contains($0) ? $0 : nil }
        for size in [told].compactMap(\.self) + pageSizes {
            let second = Meta(try file.read(at: Int64(size), count: Meta.byteCount), index: 1)
            if second?.pageSize == size { return size }
        }
        return told
    }

    private static let pageSizes = (8...16).map { 1 << $0 }
}
