import DataStoreCore

/// Reads a whole XML property list: our records in it, and where everything else is.
struct XMLFile {
    /// Where it is: among the entries of the file, the collections, or the records of one.
    private enum Level: Int { case entries, collections, records }

    private var reader: XMLReader
    private(set) var found: StoredEntries

    /// Where our entry is, from its key on.
    private(set) var ours: Range<Int>?
    /// Where the entries of other programs are, from their keys on.
    private(set) var others: [(key: String, range: Range<Int>)] = []
    /// The dictionary that all are in: its opening tag, whether that is an empty element, and where its closing tag begins.
    private(set) var root: (open: Range<Int>, isEmpty: Bool, close: Int) = (0..<0, false, 0)

    private var level: Level? = .entries
    /// Whether there is a `plist` element around the root.
    private var isWrapped = false
    private var collection = ""
    /// How the keys of each level are indented, as far as one was seen.
    private var indents: [[UInt8]] = []
    /// Where the key began that is read, and what it is of.
    private var keyStart = 0
    private var part = PlistLoss.Part.file

    /// - Parameters:
    ///   - bytes: the file.
    ///   - isTolerant: whether to leave out what is damaged.
    /// - Throws: `ParseFailure`; where it is tolerant, only what is not damage.
    init(_ bytes: [UInt8], isTolerant: Bool) throws(ParseFailure) {
        reader = XMLReader(bytes)
        found = StoredEntries(isTolerant: isTolerant)
        try readBeginning()
        while level != nil {
            part = .file
            do throws(ParseFailure) {
                try readEntry()
            } catch {
                try found.lose(part, error, hidingMore: true)
                resume()
            }
        }
        do throws(ParseFailure) {
            try readEnd()
        } catch {
            try found.lose(.file, error, hidingMore: true)
        }
    }

    // MARK: Reading

    private mutating func readBeginning() throws(ParseFailure) {
        do throws(ParseFailure) {
            if reader.has("\u{FEFF}") { reader.position = 3 }
            try checkEncoding()
            var token = try reader.next()
            if token == .open(.plist, isEmpty: false) {
                isWrapped = true
                token = try reader.next()
            }
            guard case .open(.dict, let isEmpty) = token else {
                if case .open = token {
                    throw ParseFailure(
                        kind: .notAStore, reason: "its root is not a dictionary", offset: reader.tokenStart)
                }
                throw reader.unexpected("a dictionary")
            }
            root = (reader.tokenStart..<reader.position, isEmpty, reader.position)
            if isEmpty { level = nil }
        } catch {
            try found.lose(.file, error, hidingMore: true)
            resumeAtRootKey()
        }
    }

    private func checkEncoding() throws(ParseFailure) {
        guard reader.has("<?xml") else { return }
        var declaration = reader
        guard try declaration.skipComment() else { return }
        let words = String(decoding: reader.bytes[reader.position..<declaration.position], as: UTF8.self).lowercased()
        guard words.contains("encoding"), !words.contains("utf-8"), !words.contains("ascii") else { return }
        throw ParseFailure(
            kind: .notAStore, reason: "its encoding is not UTF-8: \(words.escapingControlCharacters)",
            offset: reader.position)
    }

    /// Reads one key with its value, or the end of a dictionary.
    private mutating func readEntry() throws(ParseFailure) {
        guard let level else { return }
        keyStart = reader.position
        let token = try reader.next()
        keyStart = reader.tokenStart
        if token == .close(.dict) { return leave(level) }
        guard case .open(.key, let isEmpty) = token else { throw reader.unexpected("a key or the end of a dictionary") }
        noteIndent(of: level)
        let key = isEmpty ? "" : try reader.text(in: .key)
        switch level {
        case .entries: try readFileEntry(key)
        case .collections: try readCollection(key)
        case .records: try readRecord(key)
        }
    }

    private mutating func leave(_ level: Level) {
        switch level {
        case .entries:
            root.close = reader.tokenStart
            self.level = nil
        case .collections:
            ours = (ours?.lowerBound ?? 0)..<reader.position
            self.level = .entries
        case .records: self.level = .collections
        }
    }

    private mutating func readFileEntry(_ key: String) throws(ParseFailure) {
        guard key == StoredEntries.rootKey else {
            part = .entry(key.escapingControlCharacters)
            try reader.skipValue()
            others.append((key, keyStart..<reader.position))
            return
        }
        try found.enter(at: keyStart)
        guard case .open(.dict, let isEmpty) = try reader.next() else {
            throw ParseFailure(
                kind: .notAStore, reason: "its entry \(key) is another program's", offset: reader.tokenStart)
        }
        ours = keyStart..<reader.position
        if !isEmpty { level = .collections }
    }

    private mutating func readCollection(_ key: String) throws(ParseFailure) {
        let token = try reader.next()
        if key == StoredEntries.formatKey {
            guard token == .open(.integer, isEmpty: false) else { throw reader.unexpected("an integer") }
            return found.take(version: try reader.integer())
        }
        part = .collection(key.escapingControlCharacters)
        guard let name = PlistName.decoded(key) else { throw reader.failure("its key is no name", at: keyStart) }
        guard case .open(.dict, let isEmpty) = token else { throw reader.unexpected("a dictionary of records") }
        collection = name
        if !isEmpty { level = .records }
    }

    private mutating func readRecord(_ key: String) throws(ParseFailure) {
        part = .record("\(collection)/\(key)".escapingControlCharacters)
        let start = reader.position
        do throws(ParseFailure) {
            guard case .open(.dict, let isEmpty) = try reader.next() else {
                throw reader.unexpected("a dictionary of fields")
            }
            let record = isEmpty ? Record() : try reader.record()
            try found.take(record, collection: collection, idKey: key, at: keyStart)
        } catch {
            guard found.isTolerant else { throw error }
            // Where only the meaning is damaged, it goes on behind the record.
            reader.position = start
            try reader.skipValue()
            try found.lose(part, error)
        }
    }

    private mutating func readEnd() throws(ParseFailure) {
        let token = try reader.next()
        guard isWrapped ? token == .close(.plist) : token == .end else {
            throw reader.unexpected("the end of the property list")
        }
        if isWrapped { try reader.expect(.end, "the end of the file") }
    }

    // MARK: Going on behind damage

    private mutating func noteIndent(of level: Level) {
        guard indents.count == level.rawValue, let indent = indent(at: keyStart) else { return }
        indents.append(indent)
    }

    /// The white space between the beginning of a line and a place in it; nil where there is more than that.
    private func indent(at place: Int) -> [UInt8]? {
        let line = reader.bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let before = reader.bytes[line..<place]
        return before.allSatisfy(XMLReader.isSpace) ? Array(before) : nil
    }

    /// Goes on at the next line that begins with a key of a level that is open. A file whose levels are not each indented
    /// further than the last cannot be gone on with: a field could pass for a record.
    private mutating func resume() {
        let open = indents.prefix((level?.rawValue ?? -1) + 1)
        level = nil
        guard zip(open, open.dropFirst()).allSatisfy({ $0.count < $1.count }) else { return }
        var place = keyStart
        while let lineEnd = reader.bytes[place...].firstIndex(of: 0x0A) {
            let line = reader.bytes[(lineEnd + 1)...]
            let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }
            place = indent.endIndex
            guard reader.has("<key>", at: place), let index = open.firstIndex(where: { $0.elementsEqual(indent) })
            else {
                continue
            }
            if index == 0, let start = ours?.lowerBound { ours = start..<place }
            level = Level(rawValue: index)
            reader.position = place
            return
        }
        reader.position = reader.bytes.count
    }

    /// Goes on at the key of our entry, where what is before it is damaged.
    private mutating func resumeAtRootKey() {
        level = nil
        var place = 0
        while let tag = reader.bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            if reader.has("<key>UserProfile</key>", at: tag) {
                reader.position = tag
                level = .entries
                return
            }
            place = tag + 1
        }
        reader.position = reader.bytes.count
    }
}
