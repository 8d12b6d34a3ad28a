import CDataStoreLMDB
import Synchronization

/// The address of a memory map. A reader uses it to compute the number of the page that contains an entry, and compares
/// the result with the number in the page.
///
/// Every page contains its own number. Without the comparison, a page that was overwritten by a copy of another page
/// would hide records without an error.
///
/// - Safety: `@safe` because it reads only meta pages, which every map contains, and the header of a page from which
///   liblmdb has just returned an entry.
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

    /// Returns whether the meta page of a transaction has not been overwritten by a later commit. Call this function
    /// after liblmdb has begun a read and has read the roots of the trees from this page.
    ///
    /// Every second commit overwrites the same meta page. To begin a read, liblmdb first reads the number of the last
    /// transaction and then the roots. If the thread is suspended in between, two commits can overwrite the page, and
    /// liblmdb does not detect this. The read would see a commit that may not be durable yet, and the next read could
    /// see an older one.
    @inline(__always)
    func hasMetaPage(of transaction: UInt64) -> Bool {
        // The fence makes sure that the number in the page is read after the roots.
        atomicMemoryFence(ordering: .acquiring)
        let page = start &+ UInt(transaction & 1) &* pageSize
        let number = unsafe UnsafePointer<UInt>(bitPattern: page &+ UInt(Meta.transactionOffset))
        return unsafe number?.pointee == UInt(transaction)
    }

    @inline(__always)
    private static func number(at page: UInt) -> PageNumber {
        // A page begins with its number, and is aligned.
        unsafe UnsafePointer<PageNumber>(bitPattern: page)?.pointee ?? 0
    }
}
