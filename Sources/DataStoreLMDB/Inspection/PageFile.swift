import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The data file of an environment, read by plain calls instead of through the map: whatever is in it, nothing worse can
/// come of it than an error.
///
/// The layout is that of LMDB 0.9 (`MDB_page`, `MDB_meta`, `MDB_node` in `mdb.c`).
final class PageFile: Sendable {
    /// How many bytes a page has.
    let pageSize: Int

    private let path: String
    private let descriptor: Int32

    /// Opens a data file.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` where it is no LMDB file.
    init(path: String) throws(DataStoreError) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(code: errno).mapped(PageFile.reading, path: path) }
        do throws(DataStoreError) {
            guard let pageSize = try PageFile.pageSize(descriptor, path) else {
                throw DataStoreError(.notAStore, "its data.mdb is no LMDB file")
            }
            self.pageSize = pageSize
        } catch {
            // Nobody else can: what an initializer throws away is not deinitialized before all of it is there.
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// How many whole pages there are now: the file may grow.
    func pageCount() throws(DataStoreError) -> PageNumber {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw LMDBError(code: errno).mapped(PageFile.reading, path: path)
        }
        return PageNumber(max(0, Int(status.st_size))) / PageNumber(pageSize)
    }

    /// Which file it is.
    func id() throws(DataStoreError) -> FileSystem.FileID {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw LMDBError(code: errno).mapped(PageFile.reading, path: path)
        }
        return FileSystem.FileID(status)
    }

    /// The two meta pages; nil in place of one that is beyond the end or has not the magic number of one.
    func metas() throws(DataStoreError) -> MetaPages {
        MetaPages(
            first: Meta(try bytes(at: 0, count: Meta.byteCount), index: 0),
            second: Meta(try bytes(at: pageSize, count: Meta.byteCount), index: 1), pageSize: pageSize)
    }

    /// Whether the file was not made to the end: it has not room for both meta pages, and the first one is of no
    /// transaction, so nothing was ever saved in it.
    func isHalfMade(byteCount: Int) throws(DataStoreError) -> Bool {
        guard byteCount < 2 * pageSize else { return false }
        let first = Meta(try bytes(at: 0, count: Meta.byteCount), index: 0)
        return first?.transaction == 0
    }

    /// Bytes of the file; fewer where it ends.
    func bytes(at offset: Int, count: Int) throws(DataStoreError) -> [UInt8] {
        try PageFile.bytes(descriptor, path, at: offset, count: count)
    }

    /// Finds out how large pages are: both meta pages say so, and the second one stands after one page.
    private static func pageSize(_ descriptor: Int32, _ path: String) throws(DataStoreError) -> Int? {
        let first = Meta(try bytes(descriptor, path, at: 0, count: Meta.byteCount), index: 0)
        let told = first.map(\.pageSize).flatMap { pageSizes.contains($0) ? $0 : nil }
        for size in [told].compactMap(\.self) + pageSizes {
            let second = Meta(try bytes(descriptor, path, at: size, count: Meta.byteCount), index: 1)
            if second?.pageSize == size { return size }
        }
        return told
    }

    private static let pageSizes = (8...16).map { 1 << $0 }

    private static let reading = "read the store"

    private static func bytes(
        _ descriptor: Int32, _ path: String, at offset: Int, count: Int
    ) throws(DataStoreError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            while initializedCount < count {
                // pread initializes as many bytes as it answers, and never more than there is room for.
                let readCount = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + initializedCount }, count - initializedCount,
                    off_t(offset + initializedCount))
                if readCount > 0 { initializedCount += readCount }
                if readCount == 0 { return }
                if readCount < 0, errno != EINTR {
                    code = errno
                    return
                }
            }
        }
        guard code == 0 else { throw LMDBError(code: code).mapped(reading, path: path) }
        return bytes
    }
}
