import UserProfileKit

/// The state of a page of records, which its address contains: the collection, a filter and the position.
struct RecordsAddress: Sendable {
    static let path = "/records"

    let collection: String

    /// The path of the field that the records are filtered by, or `nil` for all records.
    var field: String?

    /// The value of the field as JSON. Other text is a string.
    var value: String?

    /// The id after which the page starts, or `nil` for the first page.
    var after: String?

    /// Creates the address of the first page of a collection.
    init(_ collection: String) { self.collection = collection }

    /// Creates the address of the records that have a value in a field.
    init(_ collection: String, where field: String, equals value: Value) {
        self.init(collection)
        self.field = field
        self.value = RecordJSON.text(value)
    }

    /// Reads the state from the query of an address.
    init(_ form: Form) {
        collection = form["collection"] ?? ""
        (field, value, after) = (form["field"], form["value"], form["after"])
    }

    /// The address.
    var text: String { address(RecordsAddress.path) }

    /// Returns the address of another path with the same query.
    func address(_ path: String) -> String {
        var form = Form()
        form["collection"] = collection
        form["field"] = field
        form["value"] = value
        form["after"] = after
        return form.address(path)
    }

    /// The filter, or `nil` for all records.
    var filter: (field: String, value: Value)? {
        guard let field, let value else { return nil }
        // A value that is no JSON was typed without quotation marks.
        let record = try? RecordJSON.record(parsing: Array("{\"value\":\(value)}".utf8))
        return (field, record?["value"] ?? .string(value))
    }
}

/// The address of the page of one record.
struct RecordAddress: Sendable {
    static let path = "/record"

    let collection: String
    let id: String

    init(_ key: Key) { self.init(collection: key.collection, id: key.id) }

    init(collection: String, id: String) {
        self.collection = collection
        self.id = id
    }

    /// Reads the collection and the id from the query of an address.
    init(_ form: Form) { self.init(collection: form["collection"] ?? "", id: form["id"] ?? "") }

    /// Returns the key of the record.
    ///
    /// - Throws: `DataStoreError` if the collection or the id is invalid.
    func key() throws(DataStoreError) -> Key { try Key(collection: collection, id: id) }

    /// The address.
    var text: String { address() }

    /// Returns the address of an action on the record, or of a notice about one.
    func address(_ action: String = "", notice: String? = nil) -> String {
        var form = Form()
        form["collection"] = collection
        form["id"] = id
        form["done"] = notice
        return form.address(RecordAddress.path + action)
    }
}
