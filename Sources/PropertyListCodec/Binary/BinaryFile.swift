import DataStoreCore

/// Reads a whole binary property list: our records in it, and the entries of other programs.
struct BinaryFile {
    private(set) var found: StoredEntries
    private(set) var others = BinaryOthers()
    /// The keys of the entries of other programs.
    private(set) var otherKeys: [String] = []

    private let reader: BinaryReader
    private var context: BinaryReader.Context

    /// - Parameters:
    ///   - bytes: the file.
    ///   - isTolerant: whether to leave out what is damaged.
    /// - Throws: `ParseFailure`; where it is tolerant, only what is not damage.
    init(_ bytes: [UInt8], isTolerant: Bool) throws(ParseFailure) {
        found = StoredEntries(isTolerant: isTolerant)
        do throws(ParseFailure) {
            reader = try BinaryReader(bytes)
        } catch {
            try found.lose(.file, error, hidingMore: true)
            reader = BinaryReader.scanning(bytes) ?? BinaryReader(bytes, objectsAt: [], end: 0, referenceByteCount: 1)
        }
        context = BinaryReader.Context(for: reader)
        do throws(ParseFailure) {
            try readRoot()
        } catch {
            try found.lose(.file, error, hidingMore: true)
        }
    }

    private mutating func readRoot() throws(ParseFailure) {
        let root = try reader.object(reader.root)
        guard root.kind == .dictionary else {
            throw ParseFailure(kind: .notAStore, reason: "its root is not a dictionary", offset: root.start)
        }
        let references = reader.references(of: root)
        let count = references.count / 2
        for index in 0..<count {
            let (key, value) = (references[index], references[count + index])
            // The key of another program need not be Unicode.
            guard let name = name(of: key), name == StoredEntries.rootKey else {
                try readOther(key, value)
                continue
            }
            try readOurs(value)
        }
    }

    private mutating func name(of key: Int) -> String? {
        do throws(ParseFailure) {
            return try reader.text(key, &context)
        } catch {
            return nil
        }
    }

    private mutating func readOther(_ key: Int, _ value: Int) throws(ParseFailure) {
        let name = name(of: key) ?? "?"
        do throws(ParseFailure) {
            let object = try reader.object(key)
            guard object.kind.isText else {
                throw ParseFailure(reason: "the key of an entry is no text", offset: object.start)
            }
            try others.take(key: key, value: value, of: reader)
            otherKeys.append(name)
        } catch {
            try found.lose(.entry(name.escapingControlCharacters), error)
        }
    }

    private mutating func readOurs(_ number: Int) throws(ParseFailure) {
        let ours = try reader.object(number)
        try found.enter(at: ours.start)
        guard ours.kind == .dictionary else {
            throw ParseFailure(
                kind: .notAStore, reason: "its entry \(StoredEntries.rootKey) is another program's", offset: ours.start)
        }
        for (key, number) in try reader.entries(of: ours, &context) {
            do throws(ParseFailure) {
                let object = try reader.object(number)
                if key == StoredEntries.formatKey {
                    found.take(version: try reader.integer(object))
                } else {
                    try readCollection(key, object)
                }
            } catch {
                if key == StoredEntries.formatKey {
                    try found.lose(.file, error)
                } else {
                    try found.lose(.collection(key.escapingControlCharacters), error, hidingMore: true)
                }
            }
        }
    }

    private mutating func readCollection(_ key: String, _ object: BinaryObject) throws(ParseFailure) {
        guard let collection = PlistName.decoded(key), object.kind == .dictionary else {
            throw ParseFailure(reason: "it is not a dictionary of records", offset: object.start)
        }
        let references = reader.references(of: object)
        let count = references.count / 2
        for index in 0..<count {
            let id = name(of: references[index])
            do throws(ParseFailure) {
                let idKey = try reader.text(references[index], &context)
                let object = try reader.object(references[count + index])
                guard object.kind == .dictionary else {
                    throw ParseFailure(reason: "it is not a dictionary of fields", offset: object.start)
                }
                try found.take(
                    try reader.record(object, &context), collection: collection, idKey: idKey, at: object.start)
            } catch {
                try found.lose(.record("\(collection)/\(id ?? "?")".escapingControlCharacters), error)
            }
        }
    }
}
