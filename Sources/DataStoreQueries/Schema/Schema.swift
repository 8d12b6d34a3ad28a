/// The collections of a program, with their indexes and the names of their fields. A ``SchemaStore`` maintains these
/// indexes.
///
/// ```swift
/// let schema = try Schema([
///     Schema.Collection("trips", indexes: [.on("startsAt"), .unique("title")])
/// ])
/// let store = SchemaStore(MemoryDataStore(), schema: schema)
/// ```
public struct Schema: Sendable {
    /// The declaration of a collection: its name, its indexes and its fields.
    ///
    /// ```swift
    /// let trips = Schema.Collection("trips", indexes: [.on("startsAt"), .unique("title")])
    /// ```
    public struct Collection: Sendable {
        /// The name of the collection.
        package let name: String
        /// The indexes of the collection, including the indexes that its rules need.
        package let indexes: [IndexDefinition]
        /// The rules of the collection besides its indexes.
        package let rules: CollectionRules
        /// The fields that the records of the collection can have.
        package let fields: FieldTree
        /// The record fields that queries of entities compare.
        package var queriedFields: [QueriedField] = []
        /// The fields that are derived from other fields of the records, or `nil` if there are none.
        package var derivedFields: DerivedFields?
        /// The names of the fields that every record is known to have.
        package var requiredFields: Set<String> = []
        /// The name of a record for messages, e.g. `Trip`.
        package var recordName: String
        /// A closure that throws an error if a record is not readable as an entity, or `nil` if any record is readable.
        package var decode: (@Sendable (Entry) throws -> Void)?

        /// Creates a declaration.
        ///
        /// - Parameters:
        ///   - name: The name of the collection.
        ///   - indexes: The indexes of the collection.
        ///   - rules: The references, the expiry and the owner of the records.
        ///   - fields: The fields that records can have. The default accepts every field.
        public init(
            _ name: String, indexes: [IndexDefinition] = [], rules: CollectionRules = .none,
            fields: FieldTree = .unknown
        ) {
            self.name = name
            self.indexes = rules.completing(indexes)
            self.rules = rules
            self.fields = fields
            recordName = name
        }
    }

    /// A record field that queries of an entity compare. A schema validates its path like the path of an index.
    /// `problem` is the reason why the field is unknown, or `nil` if it is known.
    package typealias QueriedField = (field: QueryField, kind: FieldTree.Kind?, isRecord: Bool, problem: String?)

    /// The declared collections.
    private(set) var collections: [Collection]
    /// The migrations of the program, in their order.
    private(set) var migrations: [Migration] = []
    /// The maximum number of records in a batch of a migration. The default is large enough that commits cost little,
    /// and small enough that other writes do not wait long.
    package var migrationBatchCount = 10_000
    /// The maximum number of records that a step of a build of an index processes, and of a collection for which a
    /// write builds a missing index itself. The default is chosen like that of ``migrationBatchCount``.
    package var indexStepCount = 1000
    /// The maximum number of records that the deletion rules of one transaction change. It limits memory use.
    package var maximumCascadeCount = 1_000_000

    /// A schema without collections.
    public static let empty = Schema()

    /// A schema without collections whose steps and batches have the same sizes.
    package var withoutDeclarations: Schema {
        var schema = Schema.empty
        (schema.migrationBatchCount, schema.indexStepCount) = (migrationBatchCount, indexStepCount)
        return schema
    }

    private init() { collections = [] }

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - collections: The declarations of the collections. No two declarations may have the same name.
    ///   - migrations: The migrations of the program, in their order. Append new migrations at the end.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `invalidKey` if the name of a collection is invalid.
    ///   - `misuse` if a collection's name is reserved or occurs twice, if no record can have an indexed or queried
    ///     field, or if a migration is invalid or occurs twice.
    public init(_ collections: [Collection], migrations: [Migration] = []) throws(DataStoreError) {
        self.collections = collections
        self.migrations = migrations
        for (index, collection) in collections.enumerated() {
            try Key.validate(collection: collection.name)
            if collections[..<index].contains(where: { $0.name.hasSameBytes(as: collection.name) }) {
                throw .invalidDeclaration(
                    of: collection.recordName,
                    "the collection \(collection.name) is declared twice; give each type a collection of its own")
            }
            if MigrationHistory.reservedCollections.contains(collection.name) {
                throw .invalidDeclaration(
                    of: collection.recordName, "the collection \(collection.name) is reserved; choose another name")
            }
            try collection.check()
        }
        for (index, migration) in migrations.enumerated() {
            try migration.check()
            let isRepeated = migrations[..<index].contains { other in
                other.name.hasSameBytes(as: migration.name) && other.collections.contains(where: migration.changes)
            }
            if isRepeated {
                throw .invalidDeclaration(
                    of: "the migration \(migration.name.debugDescription)",
                    "the name is declared twice; give each migration a name of its own")
            }
            for name in migration.collections {
                self.migrations[index].derivedFields[name] = derivedFields(of: name)
            }
        }
    }

    /// Returns whether the schema declares a collection with the same name and all of the given collection's indexes. A
    /// declared index must be unique or covering if the given index is.
    func satisfies(_ collection: Collection) -> Bool {
        let indexes = indexes(of: collection.name)
        let declared = collections.filter { $0.name.hasSameBytes(as: collection.name) }
        return declared.contains { $0.rules.satisfies(collection.rules) }
            && collection.indexes.allSatisfy { index in indexes.contains { $0.satisfies(index) } }
    }

    /// Returns the indexes of a collection, or an empty array if the collection is not declared.
    func indexes(of name: String) -> [IndexDefinition] {
        collections.filter { $0.name.hasSameBytes(as: name) }.flatMap(\.indexes)
    }

    /// Returns the derived fields of a collection, or `nil` if it is not declared or has none.
    func derivedFields(of name: String) -> DerivedFields? {
        collections.lazy.filter { $0.name.hasSameBytes(as: name) }.compactMap(\.derivedFields).first
    }

    /// Adds the collections and migrations of another schema. A collection that both schemas declare has the indexes of
    /// both.
    mutating func formUnion(_ other: Schema) {
        collections += other.collections
        migrations += other.migrations.filter { migration in !migrations.contains { $0.isSame(as: migration) } }
    }
}

extension Schema.Collection {
    /// Throws a `DataStoreError` with the code `misuse` if no record can have an indexed or queried field.
    fileprivate func check() throws(DataStoreError) {
        for index in indexes {
            for field in index.field.parts {
                let problem =
                    field.isSingle || index.field.components.isEmpty
                    ? problem(with: field)
                    : "\(field.name) is within an array, and compound indexes cannot contain array elements"
                if let problem { throw .invalidDeclaration(of: "the index \(index.name) of \(name)", problem) }
            }
        }
        try checkRules()
        for queried in queriedFields where !queried.field.isID {
            let found = problem(with: queried.field, queried.kind, isRecord: queried.isRecord)
            if let problem = queried.problem ?? found {
                throw .invalidDeclaration(of: "the query field \(queried.field.name) of \(name)", problem)
            }
        }
    }

    func problem(with field: QueryField, _ kind: FieldTree.Kind? = nil, isRecord: Bool = false) -> String? {
        guard field.components.isEmpty else { return "\(field.name) combines several fields" }
        // A derived value is a text.
        if kind != .date, derivedFields?.contains(field) == true { return nil }
        if field.steps.isEmpty || QueryField(parsing: field.name) != field {
            return "\(field.name.debugDescription) is not the path of a stored field, e.g. title or tags[]"
                + (fields.fieldNames.map { "; \(recordName) has \($0)" } ?? "")
        }
        return fields.problem(with: field, kind, isRecord: isRecord, of: recordName)
    }
}

extension DataStoreError {
    /// Returns the error which states why a declaration of a program is invalid.
    static func invalidDeclaration(of subject: String, _ problem: String) -> DataStoreError {
        DataStoreError(.misuse, problem, operation: "declare \(subject)")
    }
}
