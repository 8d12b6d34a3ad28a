/// The record that contains the states of all indexes of one collection. Except for ``migrationsField``, each field has
/// the name of an index and contains the state of this index.
///
/// A state is a string, e.g. `1 u--r`:
///
/// - The number of the collection that contains the index entries, in base 36, and a space. The name of this collection
///   is ``entriesPrefix`` followed by the number.
/// - A letter for each of three traits, or `-` if the index lacks the trait. The first letter is `u` (unique) or `p`
///   (declared unique, but never complete so far), the second is `o` (has overflow entries), and the third is `c`
///   (covering).
/// - The progress: `r` (ready), `o` (invalid), or `t` and an id (built up to and including this id).
///
/// A field with another value belongs to another version of the library. This version changes no record of the
/// collection then, because it could not keep the field true.
package enum IndexCatalogueRecord {
    /// The name of the collection that contains these records. It begins with a NUL, unlike any collection of a
    /// program.
    package static let collection = "\0index"

    /// Returns the key of the record with the index states of a collection.
    package static func key(of collection: String) -> Key { Key(stored: collection, in: self.collection) }

    /// The prefix of the names of collections that contain index entries. The number from the index state follows it.
    package static let entriesPrefix = "\0x"

    /// The field with the names of the collection's breaking migrations that have begun or are complete.
    ///
    /// No index can have this name.
    package static let migrationsField = "[migrations]"

    /// Returns a copy of the record in which every index is marked as invalid.
    ///
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/unsupportedFormat`` if a state has an unknown
    ///   form. Another version of the library wrote such a state, and this version cannot mark its index as invalid.
    package static func invalidating(_ record: Record, of collection: String) throws(DataStoreError) -> Record {
        var invalidated = record
        for field in record where !field.isNamed(migrationsField) {
            guard case .string(let text) = field.value, let state = invalidating(text) else {
                throw unknownIndex(field.name, of: collection)
            }
            invalidated[field.name] = .string(state)
        }
        return invalidated
    }

    /// Returns an error which states that a collection cannot be changed, because it has an index that this version of
    /// the library does not know.
    package static func unknownIndex(_ name: String, of collection: String) -> DataStoreError {
        let (collection, name) = (collection.escapingControlCharacters, name.escapingControlCharacters)
        return DataStoreError(
            .unsupportedFormat,
            "the collection \(collection) has the index \(name), which another version of the library declared and "
                + "this one cannot maintain; use the program that declared it")
    }

    /// Returns the names of the collections that contain the entries of the indexes in the record.
    static func entryCollections(in record: Record) -> [String] {
        record.compactMap { entryCollection(of: $0.value) }
    }

    private static func entryCollection(of state: Value) -> String? {
        guard case .string(let text) = state, let end = text.firstIndex(of: " ") else { return nil }
        return entriesPrefix + text[..<end]
    }

    /// Returns the name of the index whose entries are in a collection, or `nil` if the record has no such index.
    package static func indexName(ofEntries collection: String, in record: Record) -> String? {
        record.first { entryCollection(of: $0.value)?.hasSameBytes(as: collection) == true }?.name
    }

    private static func invalidating(_ state: String) -> String? {
        guard let space = state.utf8.firstIndex(of: UInt8(ascii: " ")),
            let progress = state.utf8.index(space, offsetBy: 4, limitedBy: state.utf8.endIndex),
            progress < state.utf8.endIndex
        else { return nil }
        return String(state[..<progress]) + "o"
    }
}

extension Key {
    /// Whether the key belongs to an index entry or to the index states of a collection, and not to a record that a
    /// program has stored.
    package var isOfIndex: Bool { collection.utf8.first == 0 }

    /// Whether the key belongs to the index states of a collection.
    package var isOfIndexCatalogue: Bool { isOfIndex && collection.hasSameBytes(as: IndexCatalogueRecord.collection) }
}
