/// The contents of a property-list file: the records, and the entries of other programs around them.
struct PlistContents: Sendable {
    /// The records of the store.
    var records: RecordTree
    /// The damaged parts of the file, which were skipped, in the order in which they were found.
    let losses: [PropertyListError]

    private let template: PropertyListTemplate
    private let byteCount: Int

    /// Creates the contents of a file that does not exist yet.
    init(format: PlistDataStore.Format) {
        records = RecordTree()
        losses = []
        template = PropertyListTemplate(format: format)
        byteCount = 0
    }

    /// Returns the contents as the bytes of a file.
    func serialized() -> [UInt8] {
        template.bytes(of: declarations + entries, capacity: byteCount + byteCount / 8 + 4096)
    }

    /// The records without the declarations, in the order of their keys.
    var entries: [Entry] {
        var entries: [Entry] = []
        records.forEach { key, record in if !key.isOfIndex { entries.append(Entry(key: key, record: record)) } }
        return entries
    }

    // MARK: Reading

    /// Parses the bytes of a file.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the file is damaged, `notAStore` if it is not a store,
    ///   or `unsupportedFormat` if a newer program wrote it.
    init(_ bytes: [UInt8]) throws(DataStoreError) {
        // A newer format or another program's file may look like damage, so the whole file is read.
        try self.init(recovering: bytes)
        if let first = losses.first { throw first.errorOfFile.ofStore }
    }

    /// Parses the intact parts of a file.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if the file is not a store, or `unsupportedFormat` if a
    ///   newer program wrote it.
    init(recovering bytes: [UInt8]) throws(DataStoreError) {
        do throws(PropertyListError) {
            let list = try PropertyList(bytes)
            records = RecordTree(ordered: Self.declaringIndexes(list.entries))
            losses = list.losses
            template = list.template
            byteCount = bytes.count
        } catch {
            throw error.ofStore
        }
    }
}
