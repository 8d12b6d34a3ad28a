import DataStoreCore
import DataStoreMemory

/// What a property-list file holds: our records, in the dictionary under `UserProfile`, and what stands around it.
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
    /// What stands around our dictionary, in the format of the file: it stays as it was found.
    private enum Surroundings {
        case xml(XMLSurroundings)
        case binary(BinaryOthers)
    }

    /// Our records.
    var records: RecordTree

    private let surroundings: Surroundings
    private let byteCount: Int

    /// What a file holds that is not there yet.
    init(format: PlistDataStore.Format) {
        self.init(
            records: RecordTree(), surroundings: format == .xml ? .xml(XMLSurroundings()) : .binary(BinaryOthers()),
            byteCount: 0)
    }

    private init(records: RecordTree, surroundings: Surroundings, byteCount: Int) {
        self.records = records
        self.surroundings = surroundings
        self.byteCount = byteCount
    }

    /// The file's format.
    var format: PlistDataStore.Format {
        switch surroundings {
        case .xml: .xml
        case .binary: .binary
        }
    }

    /// The bytes of the file.
    func serialized() -> [UInt8] {
        switch surroundings {
        case .xml(let surroundings): surroundings.around(records, capacity: byteCount + byteCount / 8 + 4096)
        case .binary(let others): BinaryWriter.bytes(of: records, others)
        }
    }

    // MARK: Reading

    /// Reads the bytes of a file.
    init(_ bytes: [UInt8]) throws(DataStoreError) {
        let format = try PlistContents.format(of: bytes)
        do throws(ParseFailure) {
            var (found, surroundings) = try PlistContents.read(bytes, format, isTolerant: false)
            let records = try found.records(offset: 0)
            self.init(records: records, surroundings: surroundings, byteCount: bytes.count)
        } catch {
            throw PlistContents.error(PlistContents.newerFormat(bytes, format) ?? error, bytes, format)
        }
    }

    /// What is left of a damaged file.
    struct Recovered {
        let contents: PlistContents
        let losses: [PlistLoss]
        /// The keys of the entries of other programs that are left.
        let otherKeys: [String]
    }

    /// Reads what can be read of the bytes of a file.
    ///
    /// - Returns: nil where nothing is damaged.
    static func recovering(_ bytes: [UInt8]) throws(DataStoreError) -> Recovered? {
        do throws(DataStoreError) {
            _ = try PlistContents(bytes)
            return nil
        } catch {
            guard error.code == .corrupted else { throw error }
        }
        let format = try format(of: bytes)
        do throws(ParseFailure) {
            var (found, surroundings, keys) = try readLeft(bytes, format)
            let records = try found.records(offset: 0)
            let contents = PlistContents(records: records, surroundings: surroundings, byteCount: bytes.count)
            return Recovered(contents: contents, losses: found.losses, otherKeys: keys)
        } catch {
            throw PlistContents.error(error, bytes, format)
        }
    }

    private static func read(
        _ bytes: [UInt8], _ format: PlistDataStore.Format, isTolerant: Bool
    ) throws(ParseFailure) -> (StoredEntries, Surroundings) {
        switch format {
        case .xml:
            try checkUTF8(bytes)
            let file = try XMLFile(bytes, isTolerant: isTolerant)
            return (file.found, .xml(XMLSurroundings(file, in: bytes)))
        case .binary:
            let file = try BinaryFile(bytes, isTolerant: isTolerant)
            return (file.found, .binary(file.others))
        }
    }

    private static func readLeft(
        _ bytes: [UInt8], _ format: PlistDataStore.Format
    ) throws(ParseFailure) -> (StoredEntries, Surroundings, keys: [String]) {
        switch format {
        case .xml:
            let file = try XMLFile(bytes, isTolerant: true)
            var found = file.found
            var others: [(key: String, bytes: ArraySlice<UInt8>)] = []
            for (key, range) in file.others {
                if String(validating: bytes[range], as: UTF8.self) != nil {
                    others.append((key, bytes[range]))
                } else {
                    let failure = ParseFailure(reason: "a text is not UTF-8", offset: range.lowerBound)
                    try found.lose(.entry(key.escapingControlCharacters), failure)
                }
            }
            let isText = String(validating: bytes, as: UTF8.self) != nil
            if found.losses.isEmpty, !isText {
                // Where nothing of ours or theirs is: in a comment, for example.
                do throws(ParseFailure) { try checkUTF8(bytes) } catch { try found.lose(.file, error) }
            }
            // Where only records are damaged, all around them stays as it is.
            let surroundings =
                found.isComplete && isText
                ? XMLSurroundings(file, in: bytes) : XMLSurroundings(others: others.map(\.bytes))
            return (found, .xml(surroundings), others.map(\.key))
        case .binary:
            let file = try BinaryFile(bytes, isTolerant: true)
            return (file.found, .binary(file.others), file.otherKeys)
        }
    }

    /// Refuses what no reader of XML takes. The texts of records are looked at one by one; this is for all the rest.
    private static func checkUTF8(_ bytes: [UInt8]) throws(ParseFailure) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): offset += scalar.count
            case .error, .emptyInput: throw ParseFailure(reason: "a character is not UTF-8", offset: offset)
            }
        }
    }

    /// A newer format may keep its records otherwise, so that one seems to be damaged: then that it is newer is what to say.
    private static func newerFormat(_ bytes: [UInt8], _ format: PlistDataStore.Format) -> ParseFailure? {
        do throws(ParseFailure) {
            try readLeft(bytes, format).0.checkIsKnown(offset: 0)
            return nil
        } catch {
            return error.kind == .formatTooNew ? error : nil
        }
    }

    private static func error(
        _ failure: ParseFailure, _ bytes: [UInt8], _ format: PlistDataStore.Format
    ) -> DataStoreError {
        switch failure.kind {
        case .notAStore: return DataStoreError(.notAStore, failure.reason)
        case .formatTooNew: return DataStoreError(.formatTooNew, failure.reason)
        case .damaged:
            let cause = PlistDataStore.ParseError(failure, in: bytes, format: format)
            return DataStoreError(
                .corrupted, "\(cause); it was left as it is, mend it by hand or recover what can be read",
                underlying: cause)
        }
    }

    // MARK: Telling formats apart

    static func format(of bytes: [UInt8]) throws(DataStoreError) -> PlistDataStore.Format {
        if bytes.starts(with: BinaryReader.signature) { return .binary }
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop(while: XMLReader.isSpace)
        let beginnings = ["<?xml", "<!DOCTYPE plist", "<plist", "<!--"]
        guard beginnings.contains(where: { text.starts(with: $0.utf8) }) else {
            throw DataStoreError(.notAStore, "it is neither an XML nor a binary property list")
        }
        return .xml
    }
}
