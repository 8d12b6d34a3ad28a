package import DataStoreCore
package import DataStoreMemory

/// The declarations of unique fields that a property list stores. Each collection with unique fields has one record. In
/// this record, each field has the name of a unique index and the value `unique`, or `pending` if existing records have
/// not been checked yet.
///
/// Index entries and other indexes are not stored. They are built in memory when a query needs them.
package enum UniqueFieldDeclarations {
    private static let words: [(text: String, uniqueness: IndexState.Uniqueness)] = [
        ("unique", .enforced), ("pending", .pending),
    ]
    /// The prefix of the state of a declaration that this version of the library does not know. No valid state begins
    /// with a space.
    private static let unknown = " "

    /// Returns the declarations of a store, in the order of their keys.
    package static func entries(in tree: RecordTree) -> [Entry] {
        var entries: [Entry] = []
        tree.scan(Scan(stored: IndexCatalogueRecord.collection)) { key, catalogue in
            var record = Record()
            for field in catalogue {
                if let state = IndexState(field.value) {
                    record[field.name] = words.first { $0.uniqueness == state.uniqueness }.map { .string($0.text) }
                } else if case .string(let text) = field.value {
                    record[field.name] = .string(String(text.unicodeScalars.dropFirst()))
                } else {
                    record[field.name] = field.value
                }
            }
            if !key.id.isEmpty, !record.isEmpty { entries.append(Entry(key: key, record: record)) }
            return .next
        }
        return entries
    }

    /// Returns the entries of a store with its declarations of unique fields replaced with definitions of invalid
    /// indexes.
    ///
    /// - Parameter entries: The stored entries. The declarations come first.
    /// - Returns: The record with the last index number, the index definitions, and the remaining entries. If there are
    ///   no declarations, the unchanged entries.
    package static func expanded(_ entries: [Entry]) -> [Entry] {
        let declarations = entries.prefix { $0.key.isOfIndex }
        guard !declarations.isEmpty else { return entries }
        var number = 0
        var catalogue: [Entry] = []
        for entry in declarations {
            // The names are processed in their order and never searched, because a file may declare any number of them.
            let fields = entry.record.map { field in
                number += 1
                return Record.Field(name: field.name, value: value(of: field.value, number))
            }
            let record = Record(ordered: fields)
            catalogue.append(Entry(key: entry.key, record: record))
        }
        let last = Entry(key: IndexState.lastNumber, record: ["number": .integer(Int64(number))])
        return [last] + catalogue + entries.dropFirst(declarations.count)
    }

    private static func value(of declaration: Value, _ number: Int) -> Value {
        guard case .string(let text) = declaration else { return declaration }
        guard let word = words.first(where: { $0.text == text }) else { return .string(unknown + text) }
        let entries = IndexCatalogueRecord.entriesPrefix + String(number, radix: 36)
        return IndexState(entries: entries, uniqueness: word.uniqueness, isCovering: false, progress: .invalid).value
    }
}
