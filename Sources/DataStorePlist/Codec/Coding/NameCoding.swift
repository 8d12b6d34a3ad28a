import DataStoreSystem

// Collection names, ids and field names are keys of a property list. Most names are used as keys unchanged. The
// following names are percent-encoded after a `$`:
//
// - names with control characters, which XML cannot represent;
// - names that are not in Unicode's composed form, because some readers treat two spellings as one key;
// - names that begin with `$`;
// - `CF$UID`, which property lists use as a type of its own.
extension String {
    /// The key that encodes the string as a name.
    var propertyListKey: String { isPlainName ? self : "$" + percentEncodedName }

    /// Decodes the name in a key. Returns `nil` if the key is invalid.
    ///
    /// If a name contains characters other than ASCII, its percent-encoded form is always valid, even if
    /// ``propertyListKey`` returns the name unchanged. This is necessary because platforms differ in which names they
    /// recognize as composed.
    init?(propertyListKey key: String) {
        guard key.utf8.first == UInt8(ascii: "$") else {
            if key.isEmpty { return nil }
            self = key
            return
        }
        guard let name = String(percentDecoding: key.dropFirst()), !name.isEmpty,
            !name.isASCIIOnly || !name.isPlainName, name.percentEncodedName.utf8.elementsEqual(key.utf8.dropFirst())
        else { return nil }
        self = name
    }

    private var isPlainName: Bool {
        utf8.first != UInt8(ascii: "$") && self != "CF$UID" && isPrintable && (isASCIIOnly || isComposed)
    }

    private var isASCIIOnly: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Whether the string is known to be in Unicode's composed form (NFC).
    private var isComposed: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            // All characters below U+0300, the first combining character, are composed.
            return unicodeScalars.allSatisfy { $0.value < 0x300 }
        }
        var bytes = utf8Span
        return bytes.checkForNFC(quickCheck: false)
    }

    private var percentEncodedName: String { percentEncoded(keeping: "-._~") }
}

// No collection and no record has these keys, because names that begin with `$` are encoded.
extension EntryCollector {
    /// The key under which a file declares unique fields.
    private static let indexesKey = "$indexes"

    /// The key in that dictionary under which a file declares the rules of its collections.
    private static let rulesKey = "$rules"

    /// Returns the key that encodes the name of a collection.
    static func key(ofCollection name: String) -> String {
        name == IndexState.catalogues ? indexesKey : name.propertyListKey
    }

    /// Decodes the name of a collection in a key. Throws ``PropertyListError`` with the given offset if the key or the
    /// name is invalid.
    static func collection(of key: String, at offset: Int) throws(PropertyListError) -> String {
        if key == indexesKey { return IndexState.catalogues }
        guard let name = decodedID(of: key) else { throw PropertyListError("the key is not a valid name", at: offset) }
        do {
            try Key.validate(collection: name)
        } catch {
            throw PropertyListError(error.reason, at: offset)
        }
        return name
    }

    /// Returns the key that encodes the id of a record.
    static func key(ofID id: String, in collection: String) -> String {
        id.isEmpty && collection == IndexState.catalogues ? rulesKey : id.propertyListKey
    }

    /// Decodes the id of a record of a collection in a key. Returns `nil` if the key is invalid.
    static func id(of key: String, in collection: String) -> String? {
        key == rulesKey && collection == IndexState.catalogues ? "" : decodedID(of: key)
    }

    /// Decodes the id in a key. Returns `nil` if the key is invalid.
    ///
    /// A key that is too long for any id is not decoded. In a binary file, many entries can share one key, and decoding
    /// it for each of them would take time proportional to the product of their number and its length.
    private static func decodedID(of key: String) -> String? {
        // A percent-encoded key has a `$` and up to three bytes for each byte of the id.
        key.utf8.count <= 1 + 3 * Key.maximumByteCount ? String(propertyListKey: key) : nil
    }
}
