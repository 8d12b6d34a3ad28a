import CDataStoreLMDB

/// The address of a memory map. A reader uses it to compute the number of the page that contains an entry, and compares
/// the result with the number in the page.
///
/// Every page contains its own number. Without the comparison, a page that was overwritten by a copy of another page
/// would hide records without an error.
///
/// - Safety: `@safe` because it reads only the header of a page from which liblmdb has just returned an entry.
@safe
struct MapRegion {
    let start: UInt
    let pageSize: UInt

    init(start: UInt, pageSize: UInt) { (self.start, self.pageSize) = (start, pageSize) }

    /// Computes the address of the map from the address of an entry. The number in the entry's page must be correct.
    init(entry: MDB_val, pageSize: Int) {
        self.pageSize = UInt(pageSize)
        let page = unsafe UInt(bitPattern: entry.mv_data) & ~(self.pageSize - 1)
        start = page &- MapRegion.number(at: page) &* self.pageSize
    }

    /// Returns whether the page that contains an entry has the number that matches its address.
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
