extension String {
    /// The text of bytes, or nil where they are not UTF-8.
    init?(utf8 bytes: Span<UInt8>) {
        self.init(utf8: bytes, isASCII: bytes.isASCII)
    }

    /// The text of bytes of which it is known whether they are ASCII, or nil where they are not UTF-8.
    init?(utf8 bytes: Span<UInt8>, isASCII: Bool) {
        // The string is a copy: the buffer is not kept. The standard library's validation is not specialized for
        // buffers and costs ten times as much; ASCII needs none.
        let text: String? = unsafe bytes.withUnsafeBufferPointer { buffer in
            isASCII ? unsafe String(decoding: buffer, as: UTF8.self) : unsafe String(validating: buffer, as: UTF8.self)
        }
        guard let text else { return nil }
        self = text
    }
}

extension Span<UInt8> {
    /// Whether all bytes are ASCII.
    var isASCII: Bool {
        var all: UInt8 = 0
        for index in indices { all |= self[index] }
        return all < 0x80
    }
}
