import DataStoreCore
import DataStoreSystem

/// The bytes between the bounds and the nodes of a page, in which values remain that were deleted or replaced. liblmdb
/// copies them with the page.
enum UnusedBytes {
    /// Overwrites the unused bytes of each page with zeros. The file must be a compact copy, in which no page is free.
    static func clear(_ descriptor: Int32, pageByteCount: Int) throws(DataStoreError) {
        var position: off_t = 0
        var bytes = [UInt8](repeating: 0, count: pageByteCount)
        // The buffer is filled before the call returns.
        while unsafe pread(descriptor, &bytes, pageByteCount, position) == pageByteCount {
            let page = Page(number: PageNumber(Int(position) / pageByteCount), bytes: bytes)
            var pageCount = 1
            switch page.kind {
            // The further pages of a large value have no header.
            case .largeValue: pageCount = max(1, Int(page.largeValuePageCount))
            case .branch, .leaf:
                let unused = page.unused
                guard bytes[unused].contains(where: { $0 != 0 }) else { break }
                let zeros = [UInt8](repeating: 0, count: unused.count)
                // The bytes are written before the call returns.
                guard unsafe pwrite(descriptor, zeros, zeros.count, position + off_t(unused.lowerBound)) == zeros.count
                else {
                    throw DataStoreError(.inputOutput, "the copy cannot be written", errno: errno)
                }
            case nil: break
            }
            position += off_t(pageCount * pageByteCount)
        }
    }
}
