// The file has one record of declarations for each collection with unique fields. This record has one field for each
// unique index, with the name of the index. The value of the field is `unique`, or `pending` if existing records have
// not been checked yet. One more record, with an empty id, contains the rules of all collections.
//
// The file contains neither index entries nor declarations of other indexes. A query that needs an index builds it in
// memory.
extension PlistContents {
    private static let words: [(text: String, uniqueness: IndexState.Uniqueness)] = [
        ("unique", .enforced), ("pending", .pending),
    ]
    /// The prefix that marks the value of an unknown declaration, e.g. from a newer version of the library. No valid
    /// index state begins with a space.
    private static let unknown = " "

    /// The declarations of unique fields and of rules, in the order of their keys.
    var declarations: [Entry] {
        var entries: [Entry] = []
        records.scan(Scan(stored: IndexState.catalogues)) { key, catalogue in
            var record = Record()
            if key == IndexState.storeCatalogue {
                record[IndexState.rulesField] = catalogue[IndexState.rulesField]
            } else {
                for field in catalogue { record[field.name] = Self.declaration(of: field.value) }
            }
            if !record.isEmpty { entries.append(Entry(key: key, record: record)) }
            return .next
        }
        return entries
    }

    /// Returns the entries of a file, with its declarations of unique fields converted to the states of invalid
    /// indexes.
    ///
    /// - Parameter entries: The entries of the file. They begin with the declarations, if there are any.
    /// - Returns: The record with the last index number, the index catalogues, and the entries that are not
    ///   declarations. If the file has no declarations, the entries are returned unchanged.
    static func declaringIndexes(_ entries: [Entry]) -> [Entry] {
        let declarations = entries.prefix { $0.key.isOfIndex }
        guard !declarations.isEmpty else { return entries }
        var number = 0
        var last = Record()
        var catalogues: [Entry] = []
        for entry in declarations {
            if entry.key == IndexState.storeCatalogue {
                last[IndexState.rulesField] = entry.record[IndexState.rulesField]
                continue
            }
            // The names are processed in their order and never searched, because a file may declare any number of them.
            let fields = entry.record.map { field in
                number += 1
                return Record.Field(name: field.name, value: state(of: field.value, number))
            }
            catalogues.append(Entry(key: entry.key, record: Record(ordered: fields)))
        }
        last["number"] = .integer(Int64(number))
        return [Entry(key: IndexState.storeCatalogue, record: last)] + catalogues
            + entries.dropFirst(declarations.count)
    }

    private static func declaration(of state: Value) -> Value? {
        if let state = IndexState(state) {
            return words.first { $0.uniqueness == state.uniqueness }.map { .string($0.text) }
        }
        guard case .string(let text) = state else { return state }
        return .string(String(text.unicodeScalars.dropFirst()))
    }

    private static func state(of declaration: Value, _ number: Int) -> Value {
        guard case .string(let text) = declaration else { return declaration }
        guard let word = words.first(where: { $0.text == text }) else { return .string(unknown + text) }
        return IndexState(number: number, uniqueness: word.uniqueness, isCovering: false, progress: .invalid).value
    }
}
