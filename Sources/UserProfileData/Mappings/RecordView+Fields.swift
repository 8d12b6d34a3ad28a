extension RecordView {
    /// Returns the content of a field that every record must have.
    ///
    /// ```swift
    /// let title: String = try record.required("title")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - type: The type of the content.
    /// - Returns: The content.
    /// - Throws: An error that names the field if the field is missing or has another type. `DataStoreError` if the
    ///   record cannot be read.
    @inlinable @inline(__always)
    public func required<Content: StoredContent>(
        _ name: String, as type: Content.Type = Content.self
    ) throws -> Content {
        guard let content = try Content.content(of: name, in: self) else {
            throw try mismatch(name, type) ?? FieldError(name, "is missing")
        }
        return content
    }

    /// Returns the content of a field, or `nil` if the record has no such field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - type: The type of the content.
    /// - Returns: The content, or `nil` if the record has no such field.
    /// - Throws: An error that names the field if the field has another type. `DataStoreError` if the record cannot be
    ///   read.
    @inlinable @inline(__always)
    public func optional<Content: StoredContent>(
        _ name: String, as type: Content.Type = Content.self
    ) throws -> Content? {
        if let content = try Content.content(of: name, in: self) { return content }
        if let error = try mismatch(name, type) { throw error }
        return nil
    }

    /// Returns the content of a field that contains a nested record.
    ///
    /// ```swift
    /// let place = try record.required("place") { place in Place(name: try place.required("name")) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - decode: A closure that receives a view of the nested record.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or an error that names the field if the field is missing or is not a record.
    ///   `DataStoreError` if the record cannot be read.
    @inlinable
    public func required<Result>(_ name: String, _ decode: (borrowing RecordView) throws -> Result) throws -> Result {
        guard let result = try optional(name, decode) else { throw FieldError(name, "is missing") }
        return result
    }

    /// Returns the content of a field that contains a nested record, or `nil` if the record has no such field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - decode: A closure that receives a view of the nested record.
    /// - Returns: The result of the closure, or `nil` if the record has no such field.
    /// - Throws: The error of the closure, or an error that names the field if the field is not a record.
    ///   `DataStoreError` if the record cannot be read.
    @inlinable
    public func optional<Result>(_ name: String, _ decode: (borrowing RecordView) throws -> Result) throws -> Result? {
        if let result = try withRecord(of: FieldName(name), decode) { return result }
        if let error = try mismatch(name, Record.self) { throw error }
        return nil
    }

    /// Returns the content of a field that contains an array of nested records.
    ///
    /// ```swift
    /// let legs = try record.requiredElements("legs") { leg in Leg(from: try leg.required("from")) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - decode: A closure that receives a view of each nested record.
    /// - Returns: The results of the closure.
    /// - Throws: The error of the closure, or an error that names the field if the field is missing or is not an array
    ///   of records. `DataStoreError` if the record cannot be read.
    @inlinable
    public func requiredElements<Element>(
        _ name: String, _ decode: (borrowing RecordView) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        let isArray = try forEachRecord(of: FieldName(name)) { elements.append(try decode($0)) }
        if isArray { return elements }
        throw try elementMismatch(name, at: elements.count) ?? mismatch(name, [Record].self)
            ?? FieldError(name, "is missing")
    }

    /// Returns the content of a field after a conversion, or `nil` if the record has no such field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - make: A closure that converts the content, e.g. `MailAddress.init`.
    /// - Returns: The result of `make`, or `nil` if the record has no such field.
    /// - Throws: An error that names the field if the field has another type or `make` throws. `DataStoreError` if the
    ///   record cannot be read.
    package func optional<Content: StoredContent, Result>(
        _ name: String, converting make: (consuming Content) throws -> Result
    ) throws -> Result? {
        guard let content = try optional(name, as: Content.self) else { return nil }
        do {
            return try make(content)
        } catch {
            throw FieldError(name, "is rejected: \(error)", underlying: error)
        }
    }

    /// Returns the content of a field that every record must have, after a conversion.
    package func required<Content: StoredContent, Result>(
        _ name: String, converting make: (consuming Content) throws -> Result
    ) throws -> Result {
        guard let result = try optional(name, converting: make) else { throw FieldError(name, "is missing") }
        return result
    }

    /// Returns the error of a field that exists, but has another type. Returns `nil` if the field is missing.
    @usableFromInline
    func mismatch(_ name: String, _ type: Any.Type) throws(DataStoreError) -> (any Error)? {
        try value(of: name).map { RecordView.mismatch($0, at: name, type) }
    }

    /// Returns the error of an element of an array that is not a record. Returns `nil` if the field is not an array.
    @usableFromInline
    func elementMismatch(_ name: String, at index: Int) throws(DataStoreError) -> (any Error)? {
        try value(of: name)?.array.map { RecordView.mismatch($0[index], at: "\(name)[\(index)]", Record.self) }
    }

    private static func mismatch(_ value: Value, at path: String, _ type: Any.Type) -> any Error {
        if case .sealed = value { return DataStoreError.sealedValue(path) }
        return FieldError(path, "is of the kind \(value.kind) and not a \(type)")
    }
}
