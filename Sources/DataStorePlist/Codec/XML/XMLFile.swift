/// A reader of a whole XML property list. It collects the records and the positions of everything else.
struct XMLFile {
    /// The dictionary whose entries are being read: the root of the file, the dictionary of collections, or a
    /// collection.
    enum Level: Int { case entries, collections, records }

    private(set) var collector = EntryCollector()
    /// The entries of other programs. Each range begins with the key.
    private var foreign: [(key: String, range: Range<Int>)] = []

    var reader: XMLReader
    /// The range of the entry `UserProfile`, including its key, or `nil` if the file has none.
    var ownEntry: Range<Int>?
    /// The root dictionary: the range of its opening tag, whether this tag is an empty element (`<dict/>`), and the
    /// start of the closing tag.
    private var root: (tag: Range<Int>, isEmpty: Bool, end: Int) = (0..<0, false, 0)
    var level: Level? = .entries
    private var collection = ""
    var keyStart = 0
    /// The key of the entry that is being read, or `nil` until its key has been read.
    private var key: String?
    /// The indentation of the keys of each level, from the root dictionary to the deepest level so far.
    var indents: [ArraySlice<UInt8>] = []
    /// The number of bytes that recovery may still read again, initially eight times the size of the file. The limit
    /// keeps the time of recovery proportional to the size.
    var rereadableCount: Int

    /// Reads a file, and skips damaged parts. Throws ``PropertyListError`` if the file is not a store.
    init(_ bytes: [UInt8]) throws(PropertyListError) {
        reader = XMLReader(bytes)
        rereadableCount = 8 * bytes.count
        try readBeginning()
        while level != nil {
            do throws(PropertyListError) {
                try readEntry()
            } catch {
                try collector.recordLoss(part, error, hidingMore: true)
                resume(after: error)
            }
        }
        do throws(PropertyListError) {
            if reader.isWrapped { try reader.expect(.close(.plist), "the end of the property list") }
            try reader.expect(.end, "the end of the file")
        } catch {
            try collector.recordLoss(.file, error, hidingMore: true)
        }
    }

    // MARK: Reading

    private mutating func readBeginning() throws(PropertyListError) {
        do throws(PropertyListError) {
            try checkEncoding()
            let isEmpty = try reader.openRoot()
            root = (reader.tokenStart..<reader.position, isEmpty, reader.position)
            if isEmpty { level = nil }
        } catch {
            resumeAtRootKey()
            // Without the key of the store's entry, the file can be a store only if it is truncated.
            let isStore = level != nil || error.offset == reader.bytes.count
            let cause = isStore ? error : PropertyListError(error.reason, at: error.offset, .notAStore)
            try collector.recordLoss(.file, cause, hidingMore: true)
        }
    }

    private func checkEncoding() throws(PropertyListError) {
        guard reader.has("<?xml") else { return }
        let declaration = reader.bytes[(reader.position + 2)...].prefix(200).prefix { $0 != UInt8(ascii: "?") }
        let words = String(decoding: declaration, as: UTF8.self).lowercased()
        guard words.contains("encoding"), !words.contains("utf-8"), !words.contains("ascii") else { return }
        let reason = "the encoding is not UTF-8: \(words.escapingControlCharacters)"
        throw PropertyListError(reason, at: reader.position, .notAStore)
    }

    /// Reads a key with its value, or the end of a dictionary.
    private mutating func readEntry() throws(PropertyListError) {
        guard let level else { return }
        (key, keyStart) = (nil, reader.position)
        let token = try reader.next()
        keyStart = reader.tokenStart
        if token == .close(.dict) { return endLevel(level) }
        guard case .open(.key, let isEmpty) = token else { throw reader.unexpected("a key or the end of a dictionary") }
        noteIndentation(of: level)
        let key = isEmpty ? "" : try reader.text(in: .key)
        self.key = key
        switch level {
        case .entries: try readFileEntry(key)
        case .collections: try readCollection(key)
        case .records: try readRecord(key)
        }
    }

    private mutating func endLevel(_ level: Level) {
        switch level {
        case .entries:
            root.end = reader.tokenStart
            self.level = nil
        case .collections:
            ownEntry = (ownEntry?.lowerBound ?? 0)..<reader.position
            self.level = .entries
        case .records: self.level = .collections
        }
    }

    private mutating func readFileEntry(_ key: String) throws(PropertyListError) {
        guard key == EntryCollector.rootKey else {
            try reader.skipValue()
            return foreign.append((key, keyStart..<reader.position))
        }
        try collector.beginRoot(at: keyStart)
        guard case .open(.dict, let isEmpty) = try reader.next() else {
            throw PropertyListError("the entry \(key) belongs to another program", at: reader.tokenStart, .notAStore)
        }
        ownEntry = keyStart..<reader.position
        if !isEmpty { level = .collections }
    }

    private mutating func readCollection(_ key: String) throws(PropertyListError) {
        let token = try reader.next()
        if key == EntryCollector.formatKey {
            guard token == .open(.integer, isEmpty: false) else { throw reader.unexpected("an integer") }
            collector.version = try reader.integer()
            return
        }
        let name = try EntryCollector.collection(of: key, at: keyStart)
        guard case .open(.dict, let isEmpty) = token else { throw reader.unexpected("a dictionary of records") }
        collection = name
        if !isEmpty { level = .records }
    }

    private mutating func readRecord(_ key: String) throws(PropertyListError) {
        let start = reader.position
        do throws(PropertyListError) {
            let token = try reader.next()
            let valueStart = reader.tokenStart
            guard case .record(let record) = try reader.value(token, depth: 0) else {
                throw PropertyListError("expected a dictionary of fields", at: valueStart)
            }
            try collector.add(record, collection: collection, idKey: key, at: keyStart)
        } catch {
            // If only the contents of the record are invalid and its XML is well-formed, reading continues after it.
            reader.position = start
            do throws(PropertyListError) {
                try reader.skipValue()
            } catch let later {
                reader.position = max(reader.position, later.offset)
                throw error
            }
            try collector.recordLoss(part, error)
        }
    }

    // MARK: Recovery

    /// The part of the file to report as damaged if reading fails at the current position.
    private var part: PropertyListError.Part {
        guard let key, let level, key != EntryCollector.rootKey || level != .entries else { return .file }
        switch level {
        case .entries: return .entry(key.escapedForMessage)
        case .collections:
            return key == EntryCollector.formatKey ? .file : .collection(key.escapedForMessage)
        case .records: return .record("\(collection.escapedForMessage)/\(key.escapedForMessage)")
        }
    }

    // MARK: Template

    /// Returns everything in the file except the records.
    ///
    /// The result contains only the intact entries of other programs if the file is not UTF-8, contains several entries
    /// `UserProfile`, or is damaged such that entries may have been skipped.
    mutating func template() throws(PropertyListError) -> PropertyListTemplate {
        let bytes = reader.bytes
        let invalid = XMLReader.offsetOfInvalidText(in: bytes[...])
        if invalid == nil, !collector.losses.contains(where: \.hidesMore), collector.rootCount <= 1 {
            return PropertyListTemplate(xml: bytes, ownEntry: ownEntry, root: root)
        }
        var entries: [ArraySlice<UInt8>] = []
        for (key, range) in foreign {
            if invalid != nil, let offset = XMLReader.offsetOfInvalidText(in: bytes[range]) {
                let error = PropertyListError("a text is not UTF-8", at: range.lowerBound + offset)
                try collector.recordLoss(.entry(key.escapedForMessage), error)
            } else {
                entries.append(bytes[range])
            }
        }
        // The invalid bytes belong to no entry but, for example, to a comment.
        if let invalid, collector.losses.isEmpty {
            try collector.recordLoss(.file, PropertyListError("a character is not UTF-8", at: invalid))
        }
        return PropertyListTemplate(xmlEntries: entries)
    }
}
