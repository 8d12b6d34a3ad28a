import UserProfileKit

/// The records of a collection, whichever program wrote them, as fields and values.
struct RecordsPage: Page {
    static let template = "Records"

    /// The maximum number of records on a page.
    static let pageSize = 50

    /// The size of the records in bytes after which a page ends.
    static let maximumByteCount = 128 << 10

    /// The maximum number of fields of a record that the page shows.
    static let maximumFieldCount = 100

    /// A record.
    struct Row: Sendable {
        let id: String
        let address: String
        let fields: [RecordField]
        /// The number of further fields as text, or `nil` if the row shows all fields.
        let more: String?
        /// The approximate size of the row and of the work to read it.
        let byteCount: Int
    }

    let frame: Frame
    let navigation = NavigationItem.items(current: "")
    let title: String
    let collection: String
    let filterField: String
    let filterValue: String
    let isFiltered: Bool
    let rows: [Row]
    let hasRows: Bool
    let isFirst: Bool
    let allAddress: String
    let firstAddress: String
    let nextAddress: String?
    let eventsAddress: String

    /// Reads the page that an address selects.
    ///
    /// - Parameters:
    ///   - address: The collection, the filter, and the id after which the page starts.
    ///   - storage: The storage.
    ///   - frame: The store.
    /// - Throws: `DataStoreError`, e.g. if the name of the collection is invalid or a record is damaged.
    init(_ address: RecordsAddress, in storage: UserProfileStorage, frame: Frame) async throws {
        let collection = address.collection
        let page = try await storage.records.read { transaction in
            var page = Rows(
                collection, try transaction.references().filter { $0.collection == collection }.map(\.reference))
            // One record more shows whether another page follows.
            let limit = RecordsPage.pageSize + 1
            if let filter = address.filter {
                let entries = try transaction.records(
                    of: collection, where: filter.field, equals: filter.value, after: address.after, limit: limit)
                for entry in entries where page.add(entry.key, entry.record) == .stop { break }
            } else {
                let scan = try Scan(collection, ids: address.after.map { .after($0) } ?? .all, limit: limit)
                try transaction.forEach(in: scan) { key, record in page.add(key, record) }
            }
            return page
        }
        self.frame = frame
        self.collection = collection
        rows = page.rows
        title = "Records of \(collection)"
        hasRows = !rows.isEmpty
        isFirst = address.after == nil
        filterField = address.field ?? ""
        filterValue = address.value ?? ""
        isFiltered = address.filter != nil
        allAddress = RecordsAddress(collection).text
        var other = address
        other.after = nil
        firstAddress = other.text
        other.after = rows.last?.id
        nextAddress = page.hasMore ? other.text : nil
        eventsAddress = RecordsAddress(collection).address("\(RecordsAddress.path)/events")
    }

    /// The rows of a page while its records are read.
    private struct Rows: Sendable {
        private let collection: String
        private let references: [Reference]
        private(set) var rows: [Row] = []
        private(set) var hasMore = false
        private var byteCount = 0

        init(_ collection: String, _ references: [Reference]) {
            self.collection = collection
            self.references = references
        }

        /// Adds a record, unless the page is full.
        mutating func add(_ key: Key, _ record: Record) -> Scan.Step {
            guard rows.count < RecordsPage.pageSize, byteCount < RecordsPage.maximumByteCount else {
                hasMore = true
                return .stop
            }
            let fields = RecordField.fields(
                of: record, in: collection, references, limit: RecordsPage.maximumFieldCount)
            let row = Row(key, fields, fieldCount: record.count)
            byteCount += row.byteCount
            rows.append(row)
            return .next
        }
    }
}

extension RecordsPage.Row {
    fileprivate init(_ key: Key, _ fields: [RecordField], fieldCount: Int) {
        id = key.id
        address = RecordAddress(key).text
        self.fields = fields
        more = fieldCount > fields.count ? (fieldCount - fields.count).counted("more field") : nil
        // Each shown field has markup, and each field was read.
        byteCount = fields.reduce(id.utf8.count + fieldCount * 8) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + (field.filterAddress?.utf8.count ?? 0) + 64
        }
    }
}
