/// A collector for the records of a store, which the XML and the binary reader find in the dictionary `UserProfile`.
struct EntryCollector {
    /// The key of the store's dictionary in the root of the file.
    static let rootKey = "UserProfile"
    /// The key of the format version in the store's dictionary. No collection has this key, because names that begin
    /// with `$` are encoded.
    static let formatKey = "$format"
    /// The only format version.
    static let formatVersion: Int64 = 2

    /// The damaged parts that were skipped.
    private(set) var losses: [PropertyListError] = []
    /// The number of entries of the file with the key ``rootKey``.
    private(set) var rootCount = 0

    private var entries: [Entry] = []
    /// The position of each record in the file, in bytes, in the order of `entries`.
    private var offsets: [Int] = []
    private var rootOffset = 0
    /// The format version in the file, or `nil` if none has been found.
    var version: Int64?

    // MARK: Collecting

    /// Notes that a dictionary with the key ``rootKey`` begins. If it is not the first one in the file, records a loss.
    mutating func beginRoot(at offset: Int) throws(PropertyListError) {
        rootCount += 1
        rootOffset = offset
        if rootCount > 1 {
            try recordLoss(.file, PropertyListError("the key \(Self.rootKey) occurs twice", at: offset))
        }
    }

    /// Adds a record to the result.
    ///
    /// - Throws: ``PropertyListError`` if no store accepts the record or its key.
    mutating func add(_ record: Record, collection: String, idKey: String, at offset: Int) throws(PropertyListError) {
        guard let id = Self.id(of: idKey, in: collection) else {
            throw PropertyListError("the key is not a valid id", at: offset)
        }
        do {
            try record.validate()
            let isCatalogue = collection == IndexState.catalogues
            if isCatalogue, !id.isEmpty { try Key.validate(collection: id) }
            let key = isCatalogue ? Key(stored: id, in: collection) : try Key(collection: collection, id: id)
            entries.append(Entry(key: key, record: record))
            offsets.append(offset)
        } catch {
            throw PropertyListError(error.reason, at: offset)
        }
    }

    /// Adds a damaged part to ``losses``. Throws the error instead if it does not have the code `corrupted`.
    mutating func recordLoss(
        _ part: PropertyListError.Part, _ error: PropertyListError, hidingMore: Bool = false
    ) throws(PropertyListError) {
        guard error.code == .corrupted else { throw error }
        var loss = error
        (loss.part, loss.hidesMore) = (part, hidingMore)
        losses.append(loss)
    }

    // MARK: Result

    /// Validates the format version and returns the records in the order of their keys.
    ///
    /// If several records have the same key, the file is damaged, and only the last of these records is returned.
    ///
    /// - Throws: ``PropertyListError`` with the code `unsupportedFormat` if the format is another one.
    mutating func finish() throws(PropertyListError) -> [Entry] {
        if let version, version >= 1, version != Self.formatVersion {
            let reason = DataStoreError.otherFormat(version, than: Self.formatVersion).reason
            throw PropertyListError(reason, at: rootOffset, .unsupportedFormat)
        }
        if rootCount > 0, version ?? 0 < 1 {
            let reason = "\(Self.rootKey).\(Self.formatKey), the format version, is missing or invalid"
            try recordLoss(.file, PropertyListError(reason, at: rootOffset))
        }
        if zip(entries, entries.dropFirst()).allSatisfy({ $0.key < $1.key }) { return entries }
        // If a key occurs several times, the last entry is used, as in other programs.
        let order = entries.indices.sorted { entries[$0].key < entries[$1].key }
        var unique: [Entry] = []
        for index in order {
            let entry = entries[index]
            if unique.last?.key == entry.key {
                unique.removeLast()
                try recordLoss(.record("\(entry.key)"), PropertyListError("the key occurs twice", at: offsets[index]))
            }
            unique.append(entry)
        }
        return unique
    }
}
