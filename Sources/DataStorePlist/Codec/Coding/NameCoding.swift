import DataStoreCore
import DataStoreSystem

/// The encoding of collection names, ids and field names as keys of a property list.
///
/// Most names are used as keys unchanged. The following names are percent-encoded after a `$`:
///
/// - names with control characters, which XML cannot represent;
/// - names that are not in Unicode's composed form, because some readers treat two spellings as one key;
/// - names that begin with `$`;
/// - `CF$UID`, which property lists use as a type of its own.
enum NameCoding {
    /// Returns the key that encodes a name.
    static func key(of name: String) -> String {
        isPlain(name) ? name : "$" + percentEncoded(name)
    }

    /// Decodes the name in a key. Returns `nil` if the key is invalid.
    ///
    /// If a name contains characters other than ASCII, its percent-encoded form is always valid, even if ``key(of:)``
    /// returns the name unchanged. This is necessary because platforms differ in which names they recognize as
    /// composed.
    static func name(of key: String) -> String? {
        guard key.utf8.first == UInt8(ascii: "$") else { return key.isEmpty ? nil : key }
        guard let name = String(percentDecoding: key.dropFirst()), !name.isEmpty,
            !isASCII(name) || !isPlain(name), percentEncoded(name).utf8.elementsEqual(key.utf8.dropFirst())
        else { return nil }
        return name
    }

    /// The key under which a file declares unique fields. No collection has this key, because names that begin with `$`
    /// are encoded.
    static let indexesKey = "$indexes"

    /// The key in that dictionary under which a file declares the rules of its collections.
    private static let rulesKey = "$rules"

    /// Returns the key that encodes the name of a collection.
    static func collectionKey(of name: String) -> String {
        name == IndexState.catalogues ? indexesKey : key(of: name)
    }

    /// Decodes the name of a collection in a key. Throws ``PropertyListError`` with the given offset if the key or the
    /// name is invalid.
    static func collection(of key: String, at offset: Int) throws(PropertyListError) -> String {
        if key == indexesKey { return IndexState.catalogues }
        guard let name = id(of: key) else { throw PropertyListError("the key is not a valid name", at: offset) }
        do {
            try Key.validate(collection: name)
        } catch {
            throw PropertyListError(error.reason, at: offset)
        }
        return name
    }

    /// Returns the key that encodes the id of a record.
    static func key(of id: String, in collection: String) -> String {
        id.isEmpty && collection == IndexState.catalogues ? rulesKey : key(of: id)
    }

    /// Decodes the id of a record of a collection in a key. Returns `nil` if the key is invalid.
    static func id(of key: String, in collection: String) -> String? {
        key == rulesKey && collection == IndexState.catalogues ? "" : id(of: key)
    }

    /// Decodes the id in a key. Returns `nil` if the key is invalid.
    ///
    /// A key that is too long for any id is not decoded. In a binary file, many entries can share one key, and decoding
    /// it for each of them would take time proportional to the product of their number and its length.
    static func id(of key: String) -> String? {
        // A percent-encoded key has a `$` and up to three bytes for each byte of the id.
        key.utf8.count <= 1 + 3 * Key.maximumByteCount ? name(of: key) : nil
    }

    private static func isPlain(_ name: String) -> Bool {
        name.utf8.first != UInt8(ascii: "$") && name != "CF$UID" && name.isPrintable
            && (isASCII(name) || isComposed(name))
    }

    private static func isASCII(_ name: String) -> Bool { name.utf8.allSatisfy { $0 < 0x80 } }

    /// Returns whether a name is known to be in Unicode's composed form (NFC).
    private static func isComposed(_ name: String) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            // All characters below U+0300, the first combining character, are composed.
            return name.unicodeScalars.allSatisfy { $0.value < 0x300 }
        }
        var bytes = name.utf8Span
        return bytes.checkForNFC(quickCheck: false)
    }

    private static func percentEncoded(_ name: String) -> String { name.percentEncoded(keeping: "-._~") }
}
