import UserProfileKit

/// The records of a collection, whichever program wrote them, as fields and values. They cannot be changed.
struct RecordsPage: Page {
    static let template = "Records"
    static let path = "/records"

    /// The maximum number of records on a page.
    static let pageSize = 50

    /// The size of the records in bytes after which a page ends.
    static let maximumByteCount = 128 << 10

    /// The maximum number of fields of a record that the page shows.
    static let maximumFieldCount = 100

    /// A record.
    struct Row: Sendable {
        let id: String
        let fields: [Field]
        /// The number of further fields as text, or `nil` if the row shows all fields.
        let more: String?
        /// The approximate size of the row and of the work to read it.
        let byteCount: Int
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
        let (rows, hasMore) = try await storage.records.read { transaction in
            var (rows, byteCount, hasMore) = ([Row](), 0, false)
            try transaction.forEach(in: scan) { key, record in
                guard rows.count < RecordsPage.pageSize, byteCount < RecordsPage.maximumByteCount else {
                    hasMore = true
                    return .stop
                }
                let row = Row(key.id, record)
                byteCount += row.byteCount
                rows.append(row)
                return .next
            }
            return (rows, hasMore)
        }
        self.frame = frame
        self.rows = rows
        title = "Records of \(collection)"
        hasRows = !rows.isEmpty
        isFirst = after == nil
        firstAddress = RecordsPage.address(of: collection)
        nextAddress = hasMore ? rows.last.map { RecordsPage.address(of: collection, after: $0.id) } : nil
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

extension RecordsPage.Row {
    fileprivate init(_ id: String, _ record: Record) {
        self.id = id
        fields = record.prefix(RecordsPage.maximumFieldCount).map { field in
            RecordsPage.Field(name: RecordText.shortened(field.name), value: RecordText(field.value).text)
        }
        more = record.count > fields.count ? (record.count - fields.count).counted("more field") : nil
        // Each shown field has markup, and each field was read.
        byteCount = fields.reduce(id.utf8.count + record.count * 8) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + 64
        }
    }
}
