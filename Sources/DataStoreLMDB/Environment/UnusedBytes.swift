import DataStoreCore
import DataStoreSystem

/// The bytes between the pointers and the nodes of a page, in which values remain that were deleted or replaced.
/// liblmdb copies them with the page.
enum UnusedBytes {
    private static let (branch, leaf, overflow, meta): (UInt16, UInt16, UInt16, UInt16) = (1, 2, 4, 8)
    private static let headerByteCount = 16
    /// The offsets of fields in the header of a page.
    private static let (flags, lower, upper) = (10, 12, 14)

    /// Overwrites the unused bytes of each page with zeros. The file must be a compact copy, in which no page is free.
    static func clear(_ descriptor: Int32, pageByteCount: Int) throws(DataStoreError) {
        var position: off_t = 0
        var page = [UInt8](repeating: 0, count: pageByteCount)
        // The buffer is filled before the call returns.
        while unsafe pread(descriptor, &page, pageByteCount, position) == pageByteCount {
            let flags = number(page, flags)
            let (lower, upper) = (number(page, lower), number(page, upper))
            var pageCount = 1
            if flags & overflow != 0 {
                // The header of a long value contains the number of its pages, which have no header.
                pageCount = max(1, Int(lower) | Int(upper) << 16)
            } else if flags & meta == 0, flags & (branch | leaf) != 0, headerByteCount <= lower, lower < upper,
                Int(upper) <= pageByteCount, page[Int(lower)..<Int(upper)].contains(where: { $0 != 0 })
            {
                let zeros = [UInt8](repeating: 0, count: Int(upper - lower))
                // The bytes are written before the call returns.
                guard unsafe pwrite(descriptor, zeros, zeros.count, position + off_t(lower)) == zeros.count else {
                    throw DataStoreError(.inputOutput, "the copy cannot be written", errno: errno)
                }
            }
            position += off_t(pageCount * pageByteCount)
        }
    }

    /// Returns an unsigned integer of two bytes. All supported processors are little-endian.
    private static func number(_ page: [UInt8], _ offset: Int) -> UInt16 {
        UInt16(page[offset]) | UInt16(page[offset + 1]) << 8
    }
}
