extension String {
    /// The text of bytes, or nil where they are not UTF-8.
    init?(utf8 bytes: Span<UInt8>) {
        var all: UInt8 = 0
        for index in bytes.indices { all |= bytes[index] }
        // The string is a copy: the buffer is not kept. The standard library's validation is not specialized for
        // buffers and costs ten times as much; ASCII needs none.
        let text: String? = unsafe bytes.withUnsafeBufferPointer { buffer in
            all < 0x80
                ? unsafe String(decoding: buffer, as: UTF8.self) : unsafe String(validating: buffer, as: UTF8.self)
        }
        guard let text else { return nil }
        self = text
    }
}
