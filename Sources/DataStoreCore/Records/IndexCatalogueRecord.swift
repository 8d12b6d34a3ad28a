/// The record that contains the states of all indexes of one collection. Except for ``migrationsField``, each field has
/// the name of an index and contains the state of this index.
///
/// A state is a string of four parts, e.g. `1 03 u--r`:
///
/// - The number of the collection that contains the index entries, in base 36. The name of this collection is
///   ``entriesPrefix`` followed by the number.
/// - The version of the state's format.
/// - A letter for each of three traits, or `-` if the index lacks the trait. The first letter is `u` (unique) or `p`
///   (declared unique, but never complete so far), the second is `o` (has overflow entries), and the third is `c`
///   (covering).
/// - The progress: `r` (ready), `o` (invalid), or `t` and an id (built up to and including this id).
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
    /// No index can have this name. The value is an array and not the text of a state. Older versions of the library
    /// therefore treat the field as an unknown index and reject every write to the collection.
    package static let migrationsField = "[migrations]"

    /// Returns a copy of the record in which every index is marked as invalid.
    ///
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/formatTooNew`` if a state has an unknown form.
    ///   A newer version of the library wrote such a state, and this version cannot mark its index as invalid.
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
            .formatTooNew,
            "the collection \(collection) has the index \(name), which a newer version of the library declared and "
                + "this one cannot maintain; update this program")
    }

    /// Returns the names of the collections that contain the entries of the indexes in the record.
    static func entryCollections(in record: Record) -> [String] {
        record.compactMap { field in
            guard case .string(let text) = field.value, let end = text.firstIndex(of: " ") else { return nil }
            return entriesPrefix + text[..<end]
        }
    }

    /// Returns the name of the index whose entries are in a collection, or `nil` if the record has no such index.
    package static func indexName(ofEntries collection: String, in record: Record) -> String? {
        record.first { field in
            guard case .string(let text) = field.value, let end = text.firstIndex(of: " ") else { return false }
            return collection.hasSameBytes(as: entriesPrefix + text[..<end])
        }?.name
    }

    private static func invalidating(_ state: String) -> String? {
        let parts = state.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count == 3 else { return nil }
        // A state contains three traits, or two if it was written before indexes could be covering. The third trait and
        // the progress have different letters, so the next letter tells which of them it is.
        var traits = parts[2].prefix(2)
        let third = parts[2].dropFirst(2).first
        if third == UInt8(ascii: "c") || third == UInt8(ascii: "-") { traits = parts[2].prefix(3) }
        guard traits.endIndex < parts[2].endIndex else { return nil }
        return String(state[..<traits.endIndex]) + "o"
    }
}

extension Key {
    /// Whether the key belongs to an index entry or to the index states of a collection, and not to a record that a
    /// program has stored.
    package var isOfIndex: Bool { collection.utf8.first == 0 }

    /// Whether the key belongs to the index states of a collection.
    package var isOfIndexCatalogue: Bool { isOfIndex && collection.hasSameBytes(as: IndexCatalogueRecord.collection) }
}
