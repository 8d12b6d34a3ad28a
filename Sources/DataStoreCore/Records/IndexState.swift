/// The state of an index in a store: its traits, and the progress of its build.
///
/// One record, the catalogue of a collection, contains the states of all indexes of the collection. Except for
/// ``migrationsField``, each field of the catalogue has the name of an index and contains the state of this index.
///
/// A state is stored as a string, e.g. `1 u--r`:
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
package struct IndexState: Sendable {
    /// The progress of building the entries of an index.
    package enum Progress: Sendable {
        /// The index has entries for all records.
        case ready
        /// The index is being built. It has entries for the records up to and including this id.
        case through(String)
        /// The index is invalid, because a write changed records without updating it.
        case invalid
    }

    /// The uniqueness of an index: not unique, declared unique but not complete since the declaration, or enforced.
    package enum Uniqueness: Unicode.Scalar, Sendable {
        case no = "-"
        /// A program declared the index as unique, but the index has not been complete since then. If two records have
        /// the same value, the build fails and the declaration is withdrawn.
        case pending = "p"
        case enforced = "u"
    }

    /// The name of the collection that contains the entries.
    package let entriesCollection: String
    package var uniqueness: Uniqueness
    /// Whether the entries, except overflow entries, contain the records.
    package var isCovering: Bool
    /// Whether the index may have overflow entries, i.e. entries of values that are too long for a key.
    package var hasOverflowEntries: Bool
    package var progress: Progress

    /// Creates the state of an index whose entries are in the collection with a number.
    package init(
        number: some BinaryInteger, uniqueness: Uniqueness, isCovering: Bool, progress: Progress
    ) {
        entriesCollection = Self.entriesPrefix + String(number, radix: 36)
        self.uniqueness = uniqueness
        self.isCovering = isCovering
        hasOverflowEntries = false
        self.progress = progress
    }

    package var isUnique: Bool { uniqueness != .no }

    package var isReady: Bool { if case .ready = progress { true } else { false } }

    package var isInvalid: Bool { if case .invalid = progress { true } else { false } }

    /// Returns whether the index already has entries for the record with an id. A running build adds entries in the
    /// order of the ids.
    package func hasReached(_ id: String) -> Bool {
        switch progress {
        case .ready: true
        case .through(let last): id.byteOrder(to: last) <= 0
        case .invalid: false
        }
    }
}

extension IndexState: Equatable {
    /// Returns whether two states have the same stored form. Their strings are compared by bytes, because ids are
    /// stored as bytes.
    package static func == (left: IndexState, right: IndexState) -> Bool { left.value == right.value }
}

// MARK: The stored form

extension IndexState {
    /// The state in its stored form.
    package var value: Value {
        let number = entriesCollection.dropFirst(Self.entriesPrefix.count)
        let unique = uniqueness.rawValue
        let progress =
            switch progress {
            case .ready: "r"
            case .through(let last): "t\(last)"
            case .invalid: "o"
            }
        return .string("\(number) \(unique)\(hasOverflowEntries ? "o" : "-")\(isCovering ? "c" : "-")\(progress)")
    }

    /// Parses the stored form of a state. Returns `nil` if another version of the library wrote it.
    package init?(_ value: Value) {
        guard let (number, traits, progress) = Self.parts(of: value), !number.isEmpty,
            let uniqueness = Uniqueness(rawValue: traits[0]), "o-".unicodeScalars.contains(traits[1]),
            "c-".unicodeScalars.contains(traits[2])
        else { return nil }
        switch progress.utf8.first {
        case UInt8(ascii: "r"): self.progress = .ready
        case UInt8(ascii: "o"): self.progress = .invalid
        case UInt8(ascii: "t"): self.progress = .through(String(Substring(progress.utf8.dropFirst())))
        default: return nil
        }
        (self.uniqueness, hasOverflowEntries, isCovering) = (uniqueness, traits[1] == "o", traits[2] == "c")
        entriesCollection = Self.entriesPrefix + String(number)
    }

    /// Splits a stored state into the number, the letters of the traits, and the progress. Returns `nil` if its form is
    /// unknown. The letters may be those of another version of the library.
    private static func parts(
        of value: Value
    ) -> (number: Substring, traits: [Unicode.Scalar], progress: Substring)? {
        guard case .string(let text) = value, let space = text.unicodeScalars.firstIndex(of: " ") else { return nil }
        let rest = text.unicodeScalars[space...].dropFirst()
        let progress = rest.dropFirst(3)
        return progress.isEmpty ? nil : (text[..<space], Array(rest.prefix(3)), Substring(progress))
    }
}

// MARK: The catalogue of a collection

extension IndexState {
    /// The name of the collection that contains the catalogues. It begins with a NUL, unlike any collection of a
    /// program.
    package static let catalogues = "\0index"

    /// Returns the key of the catalogue of a collection.
    package static func catalogueKey(of collection: String) -> Key { Key(stored: collection, in: catalogues) }

    /// The key of the catalogue of the whole store: the last number assigned to an index, and the rules of all
    /// collections. No catalogue of a collection has this key, because no collection has an empty name.
    package static let storeCatalogue = Key(stored: "", in: catalogues)

    /// The field of the catalogue of the store that contains the rules of its collections.
    package static let rulesField = "rules"

    /// The prefix of the names of collections that contain index entries. The number from the index state follows it.
    package static let entriesPrefix = "\0x"

    /// The field with the names of the collection's breaking migrations that have begun or are complete.
    ///
    /// No index can have this name.
    package static let migrationsField = "[migrations]"

    /// Returns a copy of a catalogue in which every index is marked as invalid.
    ///
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/unsupportedFormat`` if a state has an unknown
    ///   form. Another version of the library wrote such a state, and this version cannot mark its index as invalid.
    package static func invalidating(catalogue: Record, of collection: String) throws(DataStoreError) -> Record {
        var invalidated = catalogue
        for field in catalogue where !field.isNamed(migrationsField) {
            guard let (number, traits, _) = parts(of: field.value) else {
                throw unknownIndex(field.name, of: collection)
            }
            invalidated[field.name] = .string("\(number) \(String(String.UnicodeScalarView(traits)))o")
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

    /// Returns the name of the collection that contains the entries of an index, given its stored state. Returns `nil`
    /// if the form of the state is unknown.
    package static func entriesCollection(ofStored state: Value) -> String? {
        parts(of: state).map { entriesPrefix + String($0.number) }
    }
}

extension Key {
    /// Whether the key belongs to an index entry or to an index catalogue, and not to a record that a program has
    /// stored.
    package var isOfIndex: Bool { collection.utf8.first == 0 }

    /// Whether the key belongs to an index catalogue.
    package var isOfIndexCatalogue: Bool { isOfIndex && collection.hasSameBytes(as: IndexState.catalogues) }
}
