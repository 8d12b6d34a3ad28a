extension Record {
    /// Validates the record against the limits that apply to every store.
    ///
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidRecord`` if the record exceeds
    ///   a limit. The reason of the error names the limit.
    package func validate() throws(DataStoreError) { _ = try validatedByteCount() }

    /// Validates the record like ``validate()``, and returns the size of its values in bytes.
    package func validatedByteCount() throws(DataStoreError) -> Int {
        var byteCount = 0
        try measure(depth: 0, into: &byteCount)
        guard byteCount <= Record.maximumByteCount else {
            throw .invalidRecord(
                "the record has \(byteCount) bytes, more than \(Record.maximumByteCount); store less in it")
        }
        return byteCount
    }

    private func measure(depth: Int, into byteCount: inout Int) throws(DataStoreError) {
        try withFields { (fields) throws(DataStoreError) in
            for index in fields.indices {
                guard !fields[index].name.isEmpty else { throw .invalidRecord("a field name is empty") }
                // Most values are strings. They are measured here, because passing a value to a function copies it.
                if case .string(let text) = fields[index].value {
                    byteCount += text.utf8.count
                } else {
                    try Record.measure(fields[index].value, depth: depth, into: &byteCount)
                }
            }
        }
    }

    private static func measure(_ value: Value, depth: Int, into byteCount: inout Int) throws(DataStoreError) {
        switch value {
        case .string(let text): byteCount += text.utf8.count
        case .data(let bytes): byteCount += bytes.count
        case .integer, .real, .bool, .date: byteCount += 8
        case .array(let values):
            try checkDepth(depth + 1)
            for value in values { try measure(value, depth: depth + 1, into: &byteCount) }
        case .record(let record):
            try checkDepth(depth + 1)
            try record.measure(depth: depth + 1, into: &byteCount)
        }
    }

    private static func checkDepth(_ depth: Int) throws(DataStoreError) {
        guard depth <= maximumDepth else {
            throw .invalidRecord("arrays and records are nested more than \(maximumDepth) deep")
        }
    }
}
