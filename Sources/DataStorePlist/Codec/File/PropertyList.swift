/// The contents of a property-list file: the records of a store under the key `UserProfile`, and the rest of the file.
///
/// ```
/// UserProfile
///     $format   1
///     users
///         me
///             mailAddress   vision@example.com
///             birthday      2011-08-01
/// ```
///
/// Reading takes time and memory proportional to the size of the file. Records that are out of order are sorted, which
/// takes more time.
package struct PropertyList: Sendable {
    /// The records of the store, in the order of their keys.
    package let entries: [Entry]
    /// The contents of the file other than the records. A write preserves them.
    package let template: PropertyListTemplate
    /// The damaged parts that were skipped, in the order in which they were found. It is empty if the file is intact.
    package let losses: [PropertyListError]

    /// Reads a file, and skips its damaged parts.
    ///
    /// - Throws: ``PropertyListError`` if the file is not a store, or if its format is too new.
    package init(_ bytes: [UInt8]) throws(PropertyListError) {
        let format = try PlistDataStore.Format(of: bytes)
        var collector: EntryCollector
        switch format {
        case .xml:
            var file = try XMLFile(bytes)
            template = try file.template()
            collector = file.collector
        case .binary:
            let file = try BinaryFile(bytes)
            template = .binary(file.foreign)
            collector = file.collector
        }
        entries = try collector.finish()
        losses = PropertyListError.located(collector.losses, in: bytes, format)
    }

    /// Reads entries of the root dictionary of a file, regardless of the program that wrote them.
    ///
    /// - Parameters:
    ///   - names: The keys of the entries. Other entries are skipped.
    ///   - bytes: The bytes of the file.
    /// - Returns: The entries that exist.
    /// - Throws: ``PropertyListError`` if the file is damaged, or if a record cannot contain the value of a requested
    ///   entry.
    package static func rootEntries(_ names: [String], of bytes: [UInt8]) throws(PropertyListError) -> Record {
        let format = try PlistDataStore.Format(of: bytes)
        do throws(PropertyListError) {
            switch format {
            case .xml:
                var reader = XMLReader(bytes)
                return try reader.rootEntries(Set(names))
            case .binary: return try BinaryFile.rootEntries(Set(names), of: bytes)
            }
        } catch {
            throw PropertyListError.located([error], in: bytes, format).first ?? error
        }
    }
}

/// Everything in a property-list file except the records of the store. A write preserves it.
package enum PropertyListTemplate: Sendable {
    /// The bytes before and after the entry `UserProfile`.
    case xml(before: [UInt8], after: [UInt8])
    /// The entries of other programs. A write preserves the bytes of their objects, except for references.
    case binary(BinaryObjects)

    /// Creates the template for a new file.
    package init(format: PlistDataStore.Format) {
        switch format {
        case .xml: self.init(xmlEntries: [])
        case .binary: self = .binary(BinaryObjects())
        }
    }

    /// Returns the bytes of a file with records in the order of their keys. `capacity` is the expected number of bytes.
    package func bytes(of entries: [Entry], capacity: Int = 0) -> [UInt8] {
        var collections: [StoredCollection] = []
        var rest = entries[...]
        while let name = rest.first?.key.collection {
            let entries = rest.prefix { $0.key.collection.hasSameBytes(as: name) }
            collections.append((name, entries))
            rest = rest[entries.endIndex...]
        }
        return switch self {
        case .xml(let before, let after): XMLWriter.bytes(collections, before: before, after: after, capacity: capacity)
        case .binary(let objects): BinaryWriter.bytes(collections, objects)
        }
    }
}

/// The name of a collection, and its records in the order of their ids.
typealias StoredCollection = (name: String, entries: ArraySlice<Entry>)

extension PlistDataStore.Format {
    /// The number of bytes at the start of a file from which its format is detected.
    package static let prefixByteCount = 1024

    /// Detects the format from the first bytes of a file. Returns `nil` if the file is not a property list.
    ///
    /// Bytes after the first ``prefixByteCount`` are ignored, so a caller can reject a large file before reading all of
    /// it.
    ///
    /// - Parameter bytes: The file, or at least its first ``prefixByteCount`` bytes.
    package init?(firstBytes bytes: some Collection<UInt8>) {
        var prefix = Array(bytes.prefix(Self.prefixByteCount))[...]
        if prefix.starts(with: BinaryReader.signature) {
            self = .binary
            return
        }
        if prefix.starts(with: [0xEF, 0xBB, 0xBF]) { prefix = prefix.dropFirst(3) }
        prefix = prefix.drop(while: XMLReader.isSpace)
        let beginnings = ["<?xml", "<!DOCTYPE plist", "<plist", "<!--"]
        guard beginnings.contains(where: { prefix.starts(with: $0.utf8) }) else { return nil }
        self = .xml
    }

    /// Detects the format of a file. Throws ``PropertyListError`` if the file is not a property list.
    init(of bytes: [UInt8]) throws(PropertyListError) {
        guard let format = Self(firstBytes: bytes) else {
            // A byte order mark, or the character `<`.
            let isUTF16 = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0x3C], [0x3C, 0]].contains(Array(bytes.prefix(2)))
            let reason =
                isUTF16
                ? "the encoding is UTF-16; convert the file (iconv -f UTF-16 -t UTF-8), and change the encoding in its "
                    + "first line to UTF-8"
                : "neither an XML nor a binary property list"
            throw PropertyListError(reason, at: 0, .notAStore)
        }
        self = format
    }
}
