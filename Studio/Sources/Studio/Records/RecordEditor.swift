import UserProfileKit

/// The form that changes a record: its JSON, and the error of a rejected change.
struct RecordEditor: Sendable {
    /// The maximum size of the JSON of a record that the form changes. Encoded, it is a third of the largest form.
    static let maximumByteCount = Form.maximumByteCount / 3 - 200

    private(set) var text: String
    /// Identifies the record from which the form was rendered.
    private(set) var saved: String
    private(set) var error: String?
    /// The height of the field in lines.
    let rowCount: Int

    /// Creates the form of a saved record, or returns `nil` if the record is too large.
    init?(_ record: Record) {
        text = RecordEditor.json(record)
        saved = RecordEditor.fingerprint(record)
        rowCount = RecordEditor.rowCount(text)
        guard text.utf8.count <= RecordEditor.maximumByteCount else { return nil }
    }

    /// Creates the form that a browser has sent.
    init(_ form: Form) {
        text = form["json"] ?? ""
        saved = form["saved"] ?? ""
        rowCount = RecordEditor.rowCount(text)
    }

    /// Returns whether records of a collection can be edited. Weather comes from its service, and the checkpoints of
    /// imports belong to them.
    static func canEdit(_ collection: String) -> Bool { !["weather", "imports"].contains(collection) }

    /// Validates the text, and saves it as the record.
    ///
    /// The record must exist and be the one from which the form was rendered. The store enforces its unique fields,
    /// references and indexes.
    ///
    /// - Returns: Whether it was saved. Otherwise the error is set and nothing was changed.
    /// - Throws: An error if the store fails.
    mutating func save(for key: Key, in storage: UserProfileStorage, now: Instant) async throws -> Bool {
        do {
            let record = try RecordJSON.record(parsing: Array(text.utf8))
            try storage.validate(record, for: key, now: now)
            try await storage.records.write { [saved] transaction in
                guard let current = try transaction.record(for: key) else {
                    throw Outdated(description: "The record was deleted meanwhile.", current: "")
                }
                let fingerprint = RecordEditor.fingerprint(current)
                guard fingerprint == saved || current == record else {
                    throw Outdated(
                        description: "The record was changed meanwhile. To replace this change, save again.",
                        current: fingerprint)
                }
                try transaction.put(record, for: key)
            }
            return true
        } catch let outdated as Outdated {
            (error, saved) = (outdated.description, outdated.current)
        } catch let invalid as ValidationError {
            error = "\(invalid)"
        } catch let invalid as DataStoreError
            where [.invalidRecord, .notUnique, .brokenReference].contains(invalid.code)
        {
            error = "\(invalid)"
        }
        return false
    }

    private static func rowCount(_ text: String) -> Int { min(30, text.split(separator: "\n").count + 2) }

    /// Returns a record as JSON with one field a line. A character that a browser hides is written as an escape.
    static func json(_ record: Record) -> String {
        var text = "{}"
        if record.count == 1 {
            // Only this function knows how the name of a single field is escaped.
            text = RecordJSON.text(.record(record))
        } else if !record.isEmpty {
            let fields = record.map { "  \(RecordJSON.text(.string($0.name))): \(RecordJSON.text($0.value))" }
            text = "{\n\(fields.joined(separator: ",\n"))\n}"
        }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar != "\n", InertText.isInvisible(scalar) {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns a number that another record almost certainly does not have (FNV-1a).
    private static func fingerprint(_ record: Record) -> String {
        let hash = RecordJSON.text(.record(record)).utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}

/// The record was deleted or changed after the form was rendered.
private struct Outdated: Error {
    let description: String
    /// The fingerprint of the saved record.
    let current: String
}
