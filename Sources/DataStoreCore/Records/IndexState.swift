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
        guard case .string(let text) = value else { return nil }
        // Each query parses a state, and an iterator takes less time than substrings.
        var bytes = text.utf8.makeIterator()
        var numberCount = 0
        while let byte = bytes.next(), byte != UInt8(ascii: " ") { numberCount += 1 }
        func trait(_ letter: Unicode.Scalar) -> Bool? {
            let byte = bytes.next()
            return byte == UInt8(ascii: letter) ? true : byte == UInt8(ascii: "-") ? false : nil
        }
        guard numberCount > 0, let unique = bytes.next().flatMap({ Uniqueness(rawValue: Unicode.Scalar($0)) }),
            let overflow = trait("o"), let covering = trait("c")
        else { return nil }
        (uniqueness, hasOverflowEntries, isCovering) = (unique, overflow, covering)
        switch bytes.next() {
        case UInt8(ascii: "r"): progress = .ready
        case UInt8(ascii: "o"): progress = .invalid
        // A space and four letters precede the id.
        case UInt8(ascii: "t"): progress = .through(String(Substring(text.utf8.dropFirst(numberCount + 5))))
        default: return nil
        }
        entriesCollection = Self.entriesPrefix + String(Substring(text.utf8.prefix(numberCount)))
    }

    /// Returns a stored state with the progress `invalid`, or `nil` if its form is unknown. The traits may be those of
    /// another version of the library.
    private static func invalidated(_ value: Value) -> Value? {
        guard case .string(let state) = value, let space = state.utf8.firstIndex(of: UInt8(ascii: " ")),
            let progress = state.utf8.index(space, offsetBy: 4, limitedBy: state.utf8.endIndex),
            progress < state.utf8.endIndex
        else { return nil }
        return .string(String(state[..<progress]) + "o")
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
            guard let state = Self.invalidated(field.value) else { throw unknownIndex(field.name, of: collection) }
            invalidated[field.name] = state
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
        guard case .string(let text) = state, let end = text.firstIndex(of: " ") else { return nil }
        return entriesPrefix + text[..<end]
    }
}

extension Key {
    /// Whether the key belongs to an index entry or to an index catalogue, and not to a record that a program has
    /// stored.
    package var isOfIndex: Bool { collection.utf8.first == 0 }

    /// Whether the key belongs to an index catalogue.
    package var isOfIndexCatalogue: Bool { isOfIndex && collection.hasSameBytes(as: IndexState.catalogues) }
}
