import DataStoreCore
import Foundation

/// What a property-list file holds: our records, in the dictionary under ``PlistContents/rootKey``, and whatever other
/// programs keep beside it.
///
/// ```
/// UserProfile
///     $format   1
///     users
///         me
///             mailAddress   vision@example.com
///             birthday      2011-08-01
/// ```
struct PlistContents: Sendable {
    /// The key of the dictionary that is ours.
    static let rootKey = "UserProfile"
    /// The key of the version in it. No collection has it: a name with a `$` is encoded.
    private static let formatKey = "$format"
    /// The version of the format that this program writes, and the highest it reads.
    private static let formatVersion = 1

    /// Our records.
    var records = RecordTree()

    /// The file's format: it stays as it was found.
    var format: PropertyListSerialization.PropertyListFormat

    /// The entries of other programs, as a binary property list; nil where there are none.
    private var others: Data?

    /// What a file holds that is not there yet.
    init(format: PropertyListSerialization.PropertyListFormat) { self.format = format }

    // MARK: Reading

    /// Reads the bytes of a file.
    init(_ bytes: Data) throws(DataStoreError) {
        // Foundation would take nearly any text for the old OpenStep format.
        guard let format = PlistContents.format(of: bytes) else {
            throw DataStoreError(.notAStore, "it is neither an XML nor a binary property list")
        }
        self.format = format
        let root: Any
        do {
            root = try PlistContents.parsed(bytes, as: format)
        } catch {
            throw DataStoreError(
                .corrupted,
                "it cannot be parsed (\(PlistContents.reason(of: error))); it was left as it is, mend or restore it",
                underlying: error)
        }
        guard var entries = root as? [String: Any] else {
            throw DataStoreError(.notAStore, "its root is not a dictionary")
        }
        let ours = entries.removeValue(forKey: PlistContents.rootKey)
        if !entries.isEmpty { others = try PlistContents.serialized(entries, as: .binary) }
        guard let ours else { return }
        guard let ours = ours as? [String: Any] else {
            throw DataStoreError(.notAStore, "its entry \(PlistContents.rootKey) is another program's")
        }
        try PlistContents.checkVersion(ours)
        for (key, ids) in ours where key != PlistContents.formatKey { try add(key, ids) }
    }

    private static func parsed(
        _ bytes: Data, as expected: PropertyListSerialization.PropertyListFormat
    ) throws -> Any {
        var found = expected
        // Unsafe is only the pointer for the format, which the call writes to before it returns.
        let root = try unsafe PropertyListSerialization.propertyList(from: bytes, options: [], format: &found)
        // What is neither, Foundation tries to read as an OpenStep text.
        guard found == expected else { throw CocoaError(.propertyListReadCorrupt) }
        return root
    }

    private static func checkVersion(_ ours: [String: Any]) throws(DataStoreError) {
        guard let version = ours[formatKey] as? Int, version >= 1 else {
            throw DataStoreError(
                .corrupted, "\(rootKey).\(formatKey), the version of its format, is missing or damaged")
        }
        guard version <= formatVersion else {
            throw DataStoreError(
                .formatTooNew,
                "its format is version \(version), this program knows up to \(formatVersion); use a newer program")
        }
    }

    private mutating func add(_ collectionKey: String, _ ids: Any) throws(DataStoreError) {
        guard let collection = PlistName.decoded(collectionKey), let ids = ids as? [String: Any] else {
            throw DataStoreError(.corrupted, "the collection \"\(collectionKey)\" is not a dictionary of records")
        }
        for (idKey, object) in ids {
            let place = "\(collection)/\(idKey)".escapingControlCharacters
            guard let id = PlistName.decoded(idKey), let fields = object as? [String: Any] else {
                throw DataStoreError(.corrupted, "the record \(place) is not a dictionary of fields")
            }
            do {
                records.put(try PlistCoder.record(of: fields), for: try Key(collection: collection, id: id))
            } catch let error as DataStoreError {
                throw DataStoreError(.corrupted, "\(place) is no key: \(error.reason)", underlying: error)
            } catch {
                throw DataStoreError(.corrupted, "the record \(place) is damaged: \(error)", underlying: error)
            }
        }
    }

    private static func format(of bytes: Data) -> PropertyListSerialization.PropertyListFormat? {
        if bytes.starts(with: Data("bplist00".utf8)) { return .binary }
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let beginnings = ["<?xml", "<!DOCTYPE plist", "<plist", "<!--"]
        return beginnings.contains { text.starts(with: Data($0.utf8)) } ? .xml : nil
    }

    /// What the parser says, without Foundation's wrapping.
    private static func reason(of error: any Error) -> String {
        let error = error as NSError
        return error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
    }

    // MARK: Writing

    /// The bytes of the file.
    func serialized() throws(DataStoreError) -> Data {
        var collections: [String: [String: Any]] = [:]
        records.forEach { key, record in
            collections[PlistName.encoded(key.collection), default: [:]][PlistName.encoded(key.id)] =
                PlistCoder.object(of: record)
        }
        var ours: [String: Any] = collections
        ours[PlistContents.formatKey] = PlistContents.formatVersion
        var entries: [String: Any] = [PlistContents.rootKey: ours]
        if let others = try otherEntries() { entries.merge(others) { ours, _ in ours } }
        return try PlistContents.serialized(entries, as: format)
    }

    private func otherEntries() throws(DataStoreError) -> [String: Any]? {
        guard let others else { return nil }
        do {
            return try PlistContents.parsed(others, as: .binary) as? [String: Any]
        } catch {
            throw DataStoreError(.inputOutput, "other programs' entries could not be kept", underlying: error)
        }
    }

    private static func serialized(
        _ entries: [String: Any], as format: PropertyListSerialization.PropertyListFormat
    ) throws(DataStoreError) -> Data {
        do {
            return try PropertyListSerialization.data(fromPropertyList: entries, format: format, options: 0)
        } catch {
            throw DataStoreError(.inputOutput, "its contents cannot be written as a property list", underlying: error)
        }
    }
}
