extension String {
    /// The text of bytes of a line.
    init(ofLine bytes: ArraySlice<UInt8>) throws(LineProblem) {
        // The standard library's validation costs ten times as much as a copy; ASCII needs none.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self = String(decoding: bytes, as: UTF8.self)
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else {
            throw LineProblem("it is not valid UTF-8: save the file in that encoding")
        }
    }
}
