public import DataStoreCore

/// The collections of a program, declared once: their indexes and the names of their fields.
///
/// ```swift
/// let schema = try Schema([
///     Schema.Collection("trips", indexes: [.on("startsAt"), .unique("title")])
/// ])
/// let store = SchemaStore(MemoryDataStore(), schema: schema)
/// ```
public struct Schema: Sendable {
    /// A collection of records.
    public struct Collection: Sendable {
        /// The name.
        public let name: String
        /// The indexes.
        public let indexes: [IndexDefinition]
        /// The paths of all fields that records can have; `nil` if they are unknown.
        public let fields: FieldTree?
        /// What a record is called in messages, e.g. `Trip`.
        public let recordName: String

        /// Creates a collection.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - indexes: The indexes.
        ///   - fields: The paths of all fields that records can have; `nil` if they are unknown.
        ///   - recordName: What a record is called in messages; `nil` uses the name.
        public init(
            _ name: String, indexes: [IndexDefinition] = [], fields: FieldTree? = nil, recordName: String? = nil
        ) {
            self.name = name
            self.indexes = indexes
            self.fields = fields
            self.recordName = recordName ?? name
        }
    }

    /// The collections.
    public private(set) var collections: [Collection]

    /// A schema without collections.
    public static let empty = Schema()

    private init() { collections = [] }

    /// Creates a schema.
    ///
    /// - Parameter collections: The collections, each name once.
    /// - Throws: `DataStoreError`: `invalidKey` for a name that no collection can have or that occurs twice, `invalidQuery` for an
    ///   index of a field that no record can have.
    public init(_ collections: [Collection]) throws(DataStoreError) {
        var names: Set<[UInt8]> = []
        for collection in collections {
            try Key.validate(collection: collection.name)
            guard names.insert(Array(collection.name.utf8)).inserted else {
                throw DataStoreError(
                    .invalidKey,
                    "the collection \(collection.name) is declared twice; give each type a collection of its own",
                    operation: "declare \(collection.recordName)")
            }
            for index in collection.indexes { try collection.check(index) }
        }
        self.collections = collections
    }

    /// Whether it has a collection.
    func declares(_ name: String) -> Bool { collections.contains { $0.name.hasSameBytes(as: name) } }

    /// Returns the indexes of a collection.
    func indexes(of name: String) -> [IndexDefinition] {
        var indexes: [IndexDefinition] = []
        for collection in collections where collection.name.hasSameBytes(as: name) { indexes += collection.indexes }
        return indexes
    }

    /// Adds the collections of another schema. Their indexes add up.
    mutating func formUnion(_ other: Schema) { collections += other.collections }
}

extension Schema.Collection {
    fileprivate func check(_ index: IndexDefinition) throws(DataStoreError) {
        func error(_ reason: String) -> DataStoreError {
            DataStoreError(.invalidQuery, reason, operation: "declare the index \(index.name) of \(name)")
        }
        guard !index.field.steps.isEmpty else {
            throw error("\(index.name.debugDescription) is not the path of a stored field, e.g. title or tags[]")
        }
        if let problem = fields?.problem(with: index.field.steps, of: recordName) { throw error(problem) }
    }
}
