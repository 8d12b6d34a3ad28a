extension EncodedRecord {
    /// Returns a copy of the encoded record in which sealed values are replaced. Nothing is decoded.
    ///
    /// - Parameters:
    ///   - fields: The fields, whose paths lead through no array, in the order of a record's fields.
    ///   - replace: A closure that receives the index of a field and the bytes of its sealed value, and appends the
    ///     CBOR of the value that replaces it.
    /// - Returns: The copy, or `nil` if none of the fields has a sealed value.
    /// - Throws: The error of `replace`, or `DataStoreError` with the code `corrupted` if the bytes are not a
    ///   record.
    package func replacingSealedValues(
        of fields: [QueryField], by replace: (Int, [UInt8], inout [UInt8]) throws -> Void
    ) throws -> EncodedRecord? {
        var copy: [UInt8] = []
        var end = 0
        for (index, field) in fields.enumerated() {
            guard let position = try position(of: field), let sealed = try sealedValue(at: position) else { continue }
            if end == 0 { copy.reserveCapacity(byteCount) }
            append(end..<sealed.value.lowerBound, to: &copy)
            try replace(index, copiedBytes(in: sealed.bytes), &copy)
            end = sealed.value.upperBound
        }
        if end == 0 { return nil }
        append(end..<byteCount, to: &copy)
        return EncodedRecord(copy)
    }

    /// Returns the position of the value at the end of a path that leads through no array.
    private func position(of field: QueryField) throws(DataStoreError) -> Int? {
        guard let first = field.steps.first, var position = try position(of: FieldName(first.name)) else { return nil }
        if field.steps.count == 1 { return position }
        let count = foundCount
        defer { forget(after: count) }
        for step in field.steps.dropFirst() {
            guard let fields = try fields(at: &position),
                let next = self.position(of: FieldName(step.name), in: fields)
            else { return nil }
            position = next
        }
        return position
    }
}

extension QueryField {
    /// Returns whether the value of this field comes before the value of another one in an encoded record.
    package func precedesInRecord(_ other: QueryField) -> Bool {
        steps.lexicographicallyPrecedes(other.steps) { Record.precedes($0.name, $1.name) }
    }
}
