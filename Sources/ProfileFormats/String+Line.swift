extension String {
    /// Creates a string from a part of a line. Throws ``LineProblem`` if the bytes are not UTF-8.
    init(ofLine bytes: ArraySlice<UInt8>) throws(LineProblem) {
        // Validation by the standard library takes ten times as long as a copy, and ASCII does not need it.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self = String(decoding: bytes, as: UTF8.self)
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else {
            throw LineProblem("not valid UTF-8; save the file as UTF-8")
        }
    }
}
