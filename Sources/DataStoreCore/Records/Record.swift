/// An ordered set of named values: what a store keeps under a key.
///
/// Names are unique and compared by their bytes. The order is one for all records, whatever order they were built in:
/// by the length of the name in UTF-8, then by its bytes. That is the order of a deterministic CBOR map (RFC 8949,
/// section 4.2.1), so a store can write and read fields as they come.
///
/// ```swift
/// var record: Record = ["mailAddress": .string("vision@example.com")]
/// record["birthday"] = .string("2011-08-01")
/// ```
///
/// A store rejects records beyond these limits: names are not empty, strings and data have at most 64 MiB together, and
/// arrays and records are nested at most 64 deep.
public struct Record: Hashable, Sendable {
    /// The most bytes that the values of one record may have, nested ones included: 64 MiB. Strings and data count
    /// their bytes, other values eight.
    package static let maximumByteCount = 64 << 20

    /// How deep arrays and records may be nested in a record.
    package static let maximumDepth = 64

    /// One name and its value.
    public struct Field: Hashable, Sendable {
        /// The name; unique in its record.
        public let name: String
        /// The value.
        public let value: Value
        /// Whether the name is ASCII, as nearly all are: then `==` on strings compares bytes. (Text that is canonically
        /// equivalent to ASCII but is not ASCII has more bytes.)
        private let isASCII: Bool

        package init(name: String, value: Value) {
            self.init(name: name, isASCII: name.greatestByte < 0x80, value: value)
        }

        /// Takes a name of which it is known whether it is ASCII.
        package init(name: String, isASCII: Bool, value: Value) {
            self.name = name
            self.isASCII = isASCII
            self.value = value
        }

        /// Whether the field has a name, byte by byte. Reading an entity asks for each of its fields: this must be
        /// quick.
        package func isNamed(_ other: String) -> Bool {
            name.utf8.count == other.utf8.count && name == other && (isASCII || name.utf8.elementsEqual(other.utf8))
        }

        /// Whether both have the same name, byte by byte, and the same value.
        public static func == (left: Field, right: Field) -> Bool {
            left.isNamed(right.name) && left.value == right.value
        }

        /// Hashes what equality compares.
        public func hash(into hasher: inout Hasher) {
            name.hashBytes(into: &hasher)
            hasher.combine(value)
        }
    }

    /// In the order that ``precedes(_:_:)`` gives.
    private var fields: [Field]

    /// Makes a record without fields.
    public init() { fields = [] }

    /// Makes a record of named values in any order.
    ///
    /// - Parameter namedValues: names and values.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidRecord`` where a name is empty or is
    ///   there twice.
    public init(_ namedValues: some Sequence<(String, Value)>) throws(DataStoreError) {
        let fields = namedValues.map { Field(name: $0, value: $1) }
            .sorted { Record.precedes($0.name, $1.name) }
        if let first = fields.first, first.name.isEmpty { throw .invalidRecord("a field name is empty") }
        for (field, next) in zip(fields, fields.dropFirst()) where field.isNamed(next.name) {
            throw .invalidRecord("the field name \"\(field.name.escapingControlCharacters)\" is there twice")
        }
        self.fields = fields
    }

    /// Takes fields that are already unique and in order, as a decoder that checked it has them.
    package init(ordered fields: [Field]) { self.fields = fields }

    /// The value of a name, or nil where the record has none. Setting nil removes the field.
    public subscript(name: String) -> Value? {
        get {
            // By index: a loop over the fields would retain and release each of them.
            for index in fields.indices where fields[index].isNamed(name) { return fields[index].value }
            return nil
        }
        set {
            let index = fields.firstIndex { !Record.precedes($0.name, name) } ?? fields.endIndex
            let isThere = index < fields.endIndex && fields[index].isNamed(name)
            switch (newValue, isThere) {
            case (let value?, true): fields[index] = Field(name: name, value: value)
            case (let value?, false): insert(Field(name: name, value: value), at: index)
            case (nil, true): fields.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// Inserts a field. Records are built field by field, mostly few and in their order: then nothing is moved.
    private mutating func insert(_ field: Field, at index: Int) {
        if fields.isEmpty { fields.reserveCapacity(4) }
        if index == fields.endIndex { fields.append(field) } else { fields.insert(field, at: index) }
    }

    /// Whether the left name comes before the right one in a record.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
        return leftCount == rightCount
            ? left.utf8.lexicographicallyPrecedes(right.utf8)
            : leftCount < rightCount
    }
}

extension Record: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension Record: ExpressibleByDictionaryLiteral {
    /// Makes a record of a literal. As with assignments one after the other, a name that is there twice keeps its
    /// last value.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}
