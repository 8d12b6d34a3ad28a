import DataStoreCore

/// A reader of a whole binary property list. It collects the records and the entries of other programs.
struct BinaryFile {
    private(set) var collector: EntryCollector
    /// The keys of the entries of other programs.
    private(set) var foreignKeys: [String] = []
    private let reader: BinaryReader
    private var decoder: BinaryDecoder
    private var copying: BinaryTraversal<Int>
    /// Copies of the entries of other programs, which a ``BinaryWriter`` writes to the new file.
    private var objects = BinaryObjects()
    /// The copied keys and values of the entries of other programs.
    private var foreign: (keys: [Int], values: [Int]) = ([], [])

    var template: PropertyListTemplate { .binary(objects, keys: foreign.keys, values: foreign.values) }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - isTolerant: Whether to skip damaged parts instead of throwing an error.
    /// - Throws: ``PropertyListError`` if the file is not a store, or if it is damaged and `isTolerant` is `false`.
    init(_ bytes: [UInt8], isTolerant: Bool) throws(PropertyListError) {
        collector = EntryCollector(isTolerant: isTolerant)
        do throws(PropertyListError) {
            reader = try BinaryReader(bytes)
        } catch {
            // All programs write the root first, and the root of a store is a dictionary.
            if let marker = bytes.dropFirst(BinaryReader.signature.count).first, marker >> 4 != 0xD {
                throw PropertyListError("the root is not a dictionary", at: BinaryReader.signature.count, .notAStore)
            }
            try collector.recordLoss(.file, error, hidingMore: true)
            reader = BinaryReader.scanning(bytes) ?? BinaryReader(bytes, objectsAt: [], end: 0, referenceByteCount: 1)
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
        for (key, value) in try Self.rootReferences(in: reader, .notAStore) {
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
        in reader: BinaryReader, _ code: DataStoreError.Code
    ) throws(PropertyListError) -> Zip2Sequence<ArraySlice<Int>, ArraySlice<Int>> {
        let root = try reader.object(reader.root)
        guard root.kind == .dictionary else {
            throw PropertyListError("the root is not a dictionary", at: root.start, code)
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
            let copy = (key: try copy(key), value: try copy(value))
            foreign.keys.append(copy.key)
            foreign.values.append(copy.value)
            foreignKeys.append(name)
        } catch {
            try collector.recordLoss(.entry(name.escapedForMessage), error)
        }
    }

    /// Copies an object and all objects that it contains, and returns the number of the copy.
    private mutating func copy(_ number: Int) throws(PropertyListError) -> Int {
        try copying.output(of: number) { (object, references) throws(PropertyListError) in
            object.kind.isContainer
                ? objects.container(object.marker, references)
                : objects.leaf { $0 += reader.bytes[object.start..<object.body.upperBound] }
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
            var name: String?
            do throws(PropertyListError) {
                name = try decoder.text(key)
                let object = try reader.object(value)
                if let name, name != EntryCollector.formatKey {
                    try readCollection(name, object)
                } else {
                    collector.version = try reader.integer(object)
                }
            } catch  where name == EntryCollector.formatKey {
                try collector.recordLoss(.file, error)
            } catch {
                try collector.recordLoss(.collection((name ?? "?").escapedForMessage), error, hidingMore: true)
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
                try collector.add(try decoder.record(value), collection: collection, idKey: idKey, at: start)
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
        for (key, value) in try rootReferences(in: reader, .corrupted) {
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
