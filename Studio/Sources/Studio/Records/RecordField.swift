import UserProfileKit

/// A field of a record as the pages of records show it.
struct RecordField: Sendable {
    /// A record to which the field refers.
    struct Target: Sendable {
        let name: String
        let address: String
    }

    let name: String
    let value: String
    /// The address of the records with the same value, or `nil` if records cannot be filtered by the value.
    let filterAddress: String?
    let targets: [Target]

    /// Returns the fields of a record, in the order of the record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - collection: Its collection.
    ///   - references: The references of the collection.
    ///   - limit: The maximum number of fields.
    /// - Returns: The fields.
    static func fields(
        of record: Record, in collection: String, _ references: [Reference], limit: Int
    ) -> [RecordField] {
        record.prefix(limit).map { field in
            RecordField(field.name, field.value, record, collection, references)
        }
    }

    private init(
        _ name: String, _ value: Value, _ record: Record, _ collection: String, _ references: [Reference]
    ) {
        self.name = RecordText.shortened(name)
        self.value = RecordText(value).text
        filterAddress =
            RecordField.isSimple(name) && value.isShortScalar
            ? RecordsAddress(collection, where: name, equals: value).text : nil
        targets = references.filter { $0.path.prefix { !".[".contains($0) } == name }.flatMap { reference in
            // A damaged field is shown as it is.
            ((try? reference.ids(in: record)) ?? []).prefix(10).compactMap { id in
                guard let key = try? Key(collection: reference.target, id: id) else { return nil }
                return Target(name: RecordText.shortened("\(key)"), address: RecordAddress(key).text)
            }
        }
    }

    /// Returns whether a name needs no escapes in a path.
    private static func isSimple(_ name: String) -> Bool {
        name.utf8.count <= 100 && name.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    }
}

extension Value {
    /// Whether an address can contain the value.
    fileprivate var isShortScalar: Bool {
        switch self {
        case .string(let text): text.utf8.count <= 200
        case .integer, .bool, .date: true
        case .real(let number): number.isFinite
        case .data, .array, .record, .sealed: false
        }
    }
}
