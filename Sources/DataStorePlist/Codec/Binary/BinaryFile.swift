/// A reader of a whole binary property list. It collects the records and the entries of other programs.
struct BinaryFile {
    private(set) var collector = EntryCollector()
    /// Copies of the entries of other programs, which a ``BinaryWriter`` writes to the new file.
    private(set) var foreign = BinaryObjects()
    private let reader: BinaryReader
    private var decoder: BinaryDecoder
    private var copying: BinaryTraversal<Int>

    /// Reads a file, and skips damaged parts. Throws ``PropertyListError`` if the file is not a store.
    init(_ bytes: [UInt8]) throws(PropertyListError) {
        do throws(PropertyListError) {
            reader = try BinaryReader(bytes)
        } catch {
            // All programs write the root first, and the root of a store is a dictionary.
            if let marker = bytes.dropFirst(BinaryReader.signature.count).first, marker >> 4 != 0xD {
                throw PropertyListError("the root is not a dictionary", at: BinaryReader.signature.count, .notAStore)
            }
            try collector.recordLoss(.file, error, hidingMore: true)
            reader = BinaryReader.scanning(bytes)
        }
        decoder = BinaryDecoder(reader)
        copying = BinaryTraversal(reader)
        do throws(PropertyListError) {
            try readRoot()
        } catch {
            try collector.recordLoss(.file, error, hidingMore: true)
        }
    }

    private mutating func readRoot() throws(PropertyListError) {
        for (key, value) in try Self.rootReferences(in: reader) {
            // The keys of other programs need not be valid Unicode.
            let name = name(of: key)
            if name == EntryCollector.rootKey {
                try readRootDictionary(value)
            } else {
                try readForeign(name ?? "?", key, value)
            }
        }
    }

    private static func rootReferences(
        in reader: BinaryReader
    ) throws(PropertyListError) -> Zip2Sequence<ArraySlice<Int>, ArraySlice<Int>> {
        let root = try reader.object(reader.root)
        guard root.kind == .dictionary else {
            throw PropertyListError("the root is not a dictionary", at: root.start, .notAStore)
        }
        return reader.entries(of: root)
    }

    private mutating func name(of key: Int) -> String? {
        do { return try decoder.text(key) } catch { return nil }
    }

    private mutating func readForeign(_ name: String, _ key: Int, _ value: Int) throws(PropertyListError) {
        do throws(PropertyListError) {
            let object = try reader.object(key)
            guard object.kind.isText else {
                throw PropertyListError("the key of an entry is not text", at: object.start)
            }
            // If an object of the entry is invalid, its other copies remain unused in the next file.
            foreign.addToRoot(try copy(key), try copy(value))
        } catch {
            try collector.recordLoss(.entry(name.escapedForMessage), error)
        }
    }

    /// Copies an object and all objects that it contains, and returns the number of the copy.
    private mutating func copy(_ number: Int) throws(PropertyListError) -> Int {
        try copying.output(of: number) { (object, references) throws(PropertyListError) in
            object.kind.isContainer
                ? foreign.container(object.kind, references)
                : foreign.leaf { $0 += reader.bytes[object.start..<object.body.upperBound] }
        }
    }

    private mutating func readRootDictionary(_ number: Int) throws(PropertyListError) {
        let ownEntry = try reader.object(number)
        try collector.beginRoot(at: ownEntry.start)
        guard ownEntry.kind == .dictionary else {
            throw PropertyListError(
                "the entry \(EntryCollector.rootKey) belongs to another program", at: ownEntry.start, .notAStore)
        }
        for (key, value) in try entries(of: ownEntry) {
            let name = name(of: key)
            let isFormat = name == EntryCollector.formatKey
            do throws(PropertyListError) {
                if isFormat {
                    collector.version = try reader.integer(reader.object(value))
                } else {
                    try readCollection(decoder.text(key), reader.object(value))
                }
            } catch {
                let part = isFormat ? .file : PropertyListError.Part.collection((name ?? "?").escapedForMessage)
                try collector.recordLoss(part, error, hidingMore: !isFormat)
            }
        }
    }

    private mutating func readCollection(_ key: String, _ object: BinaryObject) throws(PropertyListError) {
        let collection = try EntryCollector.collection(of: key, at: object.start)
        guard object.kind == .dictionary else {
            throw PropertyListError("not a dictionary of records", at: object.start)
        }
        for (key, value) in try entries(of: object) {
            do throws(PropertyListError) {
                let idKey = try decoder.text(key)
                let start = try reader.object(value).start
                guard case .record(let record) = try decoder.value(value) else {
                    throw PropertyListError("expected a dictionary of fields", at: start)
                }
                try collector.add(record, collection: collection, idKey: idKey, at: start)
            } catch {
                let id = (name(of: key) ?? "?").escapedForMessage
                try collector.recordLoss(.record("\(collection.escapedForMessage)/\(id)"), error)
            }
        }
    }

    /// Returns the references of a dictionary that contains records or collections.
    ///
    /// Several keys may refer to the same dictionary, which is then read once for each key. To limit the total time,
    /// its entries count towards the limit of the decoder each time.
    private mutating func entries(
        of dictionary: BinaryObject
    ) throws(PropertyListError) -> Zip2Sequence<ArraySlice<Int>, ArraySlice<Int>> {
        try decoder.count(dictionary.body.count / (2 * reader.referenceByteCount), at: dictionary.start)
        return reader.entries(of: dictionary)
    }

    /// Returns the entries of a file's root dictionary whose keys are in `names`.
    static func rootEntries(_ names: Set<String>, of bytes: [UInt8]) throws(PropertyListError) -> Record {
        let reader = try BinaryReader(bytes)
        var decoder = BinaryDecoder(reader)
        var record = Record()
        for (key, value) in try rootReferences(in: reader) {
            let key = try decoder.text(key)
            guard names.contains(key) else { continue }
            do throws(PropertyListError) {
                record[key] = try decoder.value(value)
            } catch {
                throw PropertyListError("the entry \(key): \(error.reason)", at: error.offset)
            }
        }
        return record
    }
}
