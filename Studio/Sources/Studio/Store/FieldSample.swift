import UserProfileKit

/// The fields of a collection, as its first records have them. A store has no list of the fields of its records.
struct FieldSample: Sendable {
    /// The maximum number of records that are read.
    static let recordCount = 100

    /// The number of fields after which no further records are read.
    static let maximumReadCount = 10_000

    /// The maximum number of fields that the page lists.
    static let maximumFieldCount = 50

    /// A field.
    struct Field: Sendable, Equatable {
        let name: String
        /// The kinds of its values, e.g. `string`.
        let kinds: String
    }

    let fields: [Field]
    /// Whether the records have more fields than the page lists.
    let hasMore: Bool
    /// The reason why the records cannot be read, or `nil`.
    let problem: String?

    /// Reads the first records of a collection.
    init(of collection: String, in storage: UserProfileStorage) async {
        do {
            let scan = try Scan(collection, limit: FieldSample.recordCount)
            let kinds = try await storage.records.read { transaction in
                var (kinds, readCount) = ([String: Set<String>](), 0)
                try transaction.forEach(in: scan) { _, record in
                    for field in record { kinds[field.name, default: []].insert(field.value.kind) }
                    readCount += record.count
                    return readCount < FieldSample.maximumReadCount ? .next : .stop
                }
                return kinds
            }
            let all = kinds.sorted { $0.key < $1.key }
            fields = all.prefix(FieldSample.maximumFieldCount).map { field in
                Field(name: RecordText.shortened(field.key), kinds: field.value.sorted().joined(separator: " or "))
            }
            hasMore = all.count > FieldSample.maximumFieldCount
            problem = nil
        } catch {
            (fields, hasMore, problem) = ([], false, Failure(error).message)
        }
    }
}

extension Value {
    fileprivate var kind: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .real: "real"
        case .bool: "Boolean"
        case .date: "date"
        case .data: "data"
        case .array: "array"
        case .record: "record"
        case .sealed: "sealed"
        }
    }
}
