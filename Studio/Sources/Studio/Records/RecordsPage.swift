import UserProfileKit

/// The records of a collection, whichever program wrote them, as fields and values. They cannot be changed.
struct RecordsPage: Page {
    static let template = "Records"
    static let path = "/records"

    /// The number of records on a page.
    static let pageSize = 50

    /// A record.
    struct Row: Sendable {
        let id: String
        let fields: [Field]
    }

    /// A field of a record.
    struct Field: Sendable {
        let name: String
        let value: String
    }

    let frame: Frame
    let navigation = NavigationItem.items(current: "")
    let title: String
    let rows: [Row]
    let hasRows: Bool
    let isFirst: Bool
    let firstAddress: String
    let nextAddress: String?
    let eventsAddress: String

    /// Reads the page that an address selects.
    ///
    /// - Parameters:
    ///   - form: The query of the address: the collection, and the id after which the page starts.
    ///   - storage: The storage.
    ///   - frame: The store.
    /// - Throws: `DataStoreError`, e.g. if the name of the collection is invalid or a record is damaged.
    init(_ form: Form, in storage: UserProfileStorage, frame: Frame) async throws {
        let collection = form["collection"] ?? ""
        let after = form["after"]
        // One record more shows whether another page follows.
        let scan = try Scan(
            collection, ids: after.map { .after($0) } ?? .all, limit: RecordsPage.pageSize + 1)
        let rows = try await storage.records.read { transaction in
            var rows: [Row] = []
            try transaction.forEach(in: scan) { key, record in
                rows.append(
                    Row(
                        id: key.id,
                        fields: record.map { Field(name: $0.name, value: RecordText($0.value).text) }))
                return .next
            }
            return rows
        }
        self.frame = frame
        self.rows = Array(rows.prefix(RecordsPage.pageSize))
        title = "Records of \(collection)"
        hasRows = !rows.isEmpty
        isFirst = after == nil
        firstAddress = RecordsPage.address(of: collection)
        nextAddress =
            rows.count > RecordsPage.pageSize
            ? RecordsPage.address(of: collection, after: rows[RecordsPage.pageSize - 1].id) : nil
        eventsAddress = RecordsPage.address(of: collection, path: "\(RecordsPage.path)/events")
    }

    /// Returns the address of a collection.
    static func address(of collection: String, after id: String? = nil, path: String = path) -> String {
        var form = Form()
        form["collection"] = collection
        form["after"] = id
        return form.address(path)
    }
}
