/// An ordered set of named values, which a ``DataStore`` stores under a ``Key``.
///
/// ```swift
/// var record: Record = ["mailAddress": .string("vision@example.com")]
/// record["birthday"] = .string("2011-08-01")
/// ```
///
/// Names are unique and compared by their bytes. Fields have the order of a deterministic CBOR map (RFC 8949, section
/// 4.2.1): shorter names come first, and names of one length are ordered by their UTF-8 bytes.
///
/// A store rejects a record with an empty field name, with more than 64 MiB of values, or with more than 64 levels of
/// nested arrays and records.
public struct Record: Hashable, Sendable {
    /// The maximum size of the values of a record, including nested values: 64 MiB. The size of a string or of data is
    /// its number of bytes, and the size of a number, bool or date is eight bytes. The size of an array or a nested
    /// record is the size of the values in it.
    package static let maximumByteCount = 64 << 20

    /// The maximum number of nested levels of arrays and records. The outermost record does not count as a level.
    package static let maximumDepth = 64

    /// A field of a record: a name and a value.
    ///
    /// ```swift
    /// for field in record { print(field.name, field.value) }
    /// ```
    public struct Field: Hashable, Sendable {
        /// The name, which is unique in its record.
        public let name: String
        /// The value of the field.
        public let value: Value
        /// Whether the name is ASCII, as almost all names are. If `true`, ``isNamed(_:)`` is faster.
        @usableFromInline let isASCII: Bool

        package init(name: String, value: Value) {
            self.init(name: name, isASCII: name.greatestByte < 0x80, value: value)
        }

        /// Creates a field without examining the name. The caller knows whether the name is ASCII.
        @inlinable
        package init(name: String, isASCII: Bool, value: Value) {
            self.name = name
            self.isASCII = isASCII
            self.value = value
        }

        /// Returns whether the field's name has the same bytes as another name. The function must be fast, because
        /// decoding an entity calls it for each field.
        package func isNamed(_ other: String) -> Bool { name.hasSameBytes(as: other, isASCII: isASCII) }

        /// Returns whether two fields have the same name, compared by bytes, and equal values.
        public static func == (left: Field, right: Field) -> Bool {
            left.isNamed(right.name) && left.value == right.value
        }

        /// Hashes the bytes of the name, and the value, consistently with `==`.
        public func hash(into hasher: inout Hasher) {
            name.hashBytes(into: &hasher)
            hasher.combine(value)
        }
    }

    /// The fields in the order of ``precedes(_:_:)``.
    @usableFromInline var fields: [Field]

    /// Creates a record without fields.
    public init() { fields = [] }

    /// Creates a record from named values in any order.
    ///
    /// - Parameter namedValues: The names and values of the fields.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidRecord`` if a name is empty or occurs
    ///   twice.
    public init(_ namedValues: some Sequence<(String, Value)>) throws(DataStoreError) {
        let fields = namedValues.map { Field(name: $0, value: $1) }
            .sorted { Record.precedes($0.name, $1.name) }
        if let first = fields.first, first.name.isEmpty { throw .invalidRecord("a field name is empty") }
        for (field, next) in zip(fields, fields.dropFirst()) where field.isNamed(next.name) {
            throw .invalidRecord("the field name \"\(field.name.escapedForMessage)\" occurs twice")
        }
        self.fields = fields
    }

    /// Creates a record from fields without validation. The caller guarantees that the names are unique and in order.
    package init(ordered fields: [Field]) { self.fields = fields }

    /// Passes the fields to a closure. In contrast to the record's subscript, a span does not retain and release each
    /// field.
    @inlinable @inline(__always)
    package func withFields<Result, Failure>(
        _ body: (Span<Field>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(fields.span)
    }

    /// The value of a field, or `nil` if the record has no field with that name. Assigning `nil` removes the field.
    public subscript(name: String) -> Value? {
        get {
            guard fields.count <= Record.scannedFieldCount else {
                let index = position(of: name)
                return index < fields.endIndex && fields[index].isNamed(name) ? fields[index].value : nil
            }
            // A loop over indices is faster, because a loop over fields would retain and release each field.
            for index in fields.indices where fields[index].isNamed(name) { return fields[index].value }
            return nil
        }
        set {
            let index = position(of: name)
            let exists = index < fields.endIndex && fields[index].isNamed(name)
            switch (newValue, exists) {
            case (let value?, true): fields[index] = Field(name: name, value: value)
            case (let value?, false): insert(Field(name: name, value: value), at: index)
            case (nil, true): fields.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// The maximum number of fields for which comparing each name is faster than a binary search.
    private static let scannedFieldCount = 16

    /// Returns the index at which a field with the given name is stored or would be inserted. Uses a binary search.
    private func position(of name: String) -> Int {
        // Most records are built in the order of their fields.
        if let last = fields.last, Record.precedes(last.name, name) { return fields.endIndex }
        var (low, high) = (fields.startIndex, fields.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if Record.precedes(fields[middle].name, name) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Inserts a field at an index and moves the later fields.
    private mutating func insert(_ field: Field, at index: Int) {
        if fields.isEmpty { fields.reserveCapacity(4) }
        if index == fields.endIndex { fields.append(field) } else { fields.insert(field, at: index) }
    }

    /// Returns whether a record orders the left name before the right one.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
        return leftCount == rightCount ? left.byteOrder(to: right) < 0 : leftCount < rightCount
    }
}

extension Record: RandomAccessCollection {
    /// The index of the first field.
    @inlinable public var startIndex: Int { fields.startIndex }

    /// The index after the last field.
    @inlinable public var endIndex: Int { fields.endIndex }

    /// The field at an index.
    @inlinable public subscript(position: Int) -> Field { fields[position] }
}

extension Record: ExpressibleByDictionaryLiteral {
    /// Creates a record from a dictionary literal. If a name occurs several times, its last value is used.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

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
        case .data(let bytes), .sealed(let bytes): byteCount += bytes.count
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
