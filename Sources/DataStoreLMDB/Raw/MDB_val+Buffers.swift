import CDataStoreLMDB

extension MDB_val {
    /// Wraps bytes that liblmdb reads. The bytes must stay valid while liblmdb uses this value.
    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        unsafe self.init(mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Wraps bytes that LMDB returned. An empty value is recognized by its size, because its pointer may have any
    /// value.
    init(_ value: MDB_val) {
        let start = unsafe value.mv_data?.assumingMemoryBound(to: UInt8.self)
        unsafe self.init(start: start, count: start == nil ? 0 : value.mv_size)
    }
}
