import CDataStoreLMDB

/// The address of a memory map. A reader uses the address to verify that an entry lies on the page that liblmdb means.
///
/// Every page contains its number. If a page was overwritten by another one, the records of both would be missing
/// without an error.
///
/// - Safety: `@safe` because it reads only the header of a page from which liblmdb has just returned an entry.
@safe
struct MapRegion {
    let start: UInt
    let pageSize: UInt

    init(start: UInt, pageSize: UInt) { (self.start, self.pageSize) = (start, pageSize) }

    /// Computes the address from an entry. The number of the entry's page is trusted.
    init(entry: MDB_val, pageSize: Int) {
        self.pageSize = UInt(pageSize)
        let page = unsafe UInt(bitPattern: entry.mv_data) & ~(self.pageSize - 1)
        start = page &- MapRegion.number(at: page) &* self.pageSize
    }

    /// Returns whether the page that contains an entry has the right number.
    @inline(__always)
    func isOnItsPage(_ bytes: MDB_val) -> Bool {
        let page = unsafe UInt(bitPattern: bytes.mv_data) & ~(pageSize - 1)
        return page &- start == MapRegion.number(at: page) &* pageSize
    }

    @inline(__always)
    private static func number(at page: UInt) -> PageNumber {
        // A page begins with its number, and is aligned.
        unsafe UnsafePointer<PageNumber>(bitPattern: page)?.pointee ?? 0
    }
}
