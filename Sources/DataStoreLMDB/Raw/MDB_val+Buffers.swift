import CDataStoreLMDB

extension MDB_val {
    /// Bytes for LMDB to read; they must outlive the call.
    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        unsafe self.init(mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Bytes that LMDB answered with. A value may be empty, so the size decides and not the pointer.
    init(_ value: MDB_val) {
        let start = unsafe value.mv_data?.assumingMemoryBound(to: UInt8.self)
        unsafe self.init(start: start, count: start == nil ? 0 : value.mv_size)
    }
}
