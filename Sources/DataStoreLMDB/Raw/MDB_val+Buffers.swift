import CDataStoreLMDB

extension MDB_val {
    /// Wraps bytes that LMDB reads. They must outlive the call.
    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        unsafe self.init(mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Wraps bytes that LMDB returned. A value may be empty, which its size tells and not its pointer.
    init(_ value: MDB_val) {
        let start = unsafe value.mv_data?.assumingMemoryBound(to: UInt8.self)
        unsafe self.init(start: start, count: start == nil ? 0 : value.mv_size)
    }
}
