public import DataStoreCore

/// A reference that a store contains, whichever program declared it. Use it in a tool that shows the records of any
/// store.
///
/// ```swift
/// for reference in try await storage.records.read({ try $0.references() }) {
///     print(reference.collection, reference.field, "refers to", reference.target)
/// }
/// ```
public struct StoredReference: Hashable, Sendable {
    /// The name of the collection whose records refer to others.
    public let collection: String

    /// The path of the field with the ids, e.g. `patientID` or `tagIDs[]`.
    public var field: String { definition.field.path }

    /// The name of the collection to which the field refers.
    public var target: String { definition.target }

    private let definition: Reference

    init(_ definition: Reference, of collection: String) {
        self.definition = definition
        self.collection = collection
    }

    /// Returns the ids of the records to which a record refers.
    ///
    /// - Parameter record: A record of the collection.
    /// - Returns: The ids in the order of the field's values.
    /// - Throws: `DataStoreError` with the code `corrupted` if the field cannot be read.
    public func ids(in record: Record) throws(DataStoreError) -> [String] {
        try definition.ids(in: RecordView(record))
    }
}

extension ReadTransaction {
    /// Returns the references of all collections of the store.
    ///
    /// - Throws: `DataStoreError` if the store cannot be read, or with the code `unsupportedFormat` if a newer version
    ///   of the library declared a rule that this version does not know.
    public func references() throws(DataStoreError) -> [StoredReference] {
        let rules = try rules()
        var references: [StoredReference] = []
        for name in rules.names {
            references += try rules.rules(of: name).references.map { StoredReference($0, of: name) }
        }
        return references
    }

    /// Returns the records of any collection that have a value in a field, in the order of their ids. It uses an index
    /// of the field if the store has one, and otherwise reads the records one by one.
    ///
    /// ```swift
    /// let visits = try await storage.records.read { transaction in
    ///     try transaction.records(of: "visits", where: "patientID", equals: .string("p1"), limit: 50)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - path: The path of the field, e.g. `place.name`, or `tags[]` for the elements of an array.
    ///   - value: The value.
    ///   - id: The id after which the result begins, or `nil` for the first records.
    ///   - limit: The maximum number of records.
    /// - Returns: The records.
    /// - Throws: `DataStoreError` with the code `invalidQuery` if the path is not a path, or with another code if the
    ///   store cannot be read.
    public func records(
        of collection: String, where path: String, equals value: Value, after id: String? = nil, limit: Int
    ) throws -> [Entry] {
        guard let field = QueryField(parsing: path) else {
            throw DataStoreError(
                .invalidQuery, "\(path.escapingControlCharacters) is not the path of a field",
                operation: "find records of \(collection.escapingControlCharacters)")
        }
        let query = RecordQuery(
            collection, where: .compare(field, .equal, value), limit: limit,
            after: id.map { RecordQuery.Cursor(values: [], id: $0) }, indexes: [IndexDefinition(field)])
        return try records(matching: query).entries
    }
}
