import DataStoreCore
import DataStoreSystem

/// The contents of a property-list file: the records, and the entries of other programs around them.
struct PlistContents: Sendable {
    /// The records of the store.
    var records: RecordTree

    private let template: PropertyListTemplate
    private let byteCount: Int

    /// Creates the contents of a file that does not exist yet.
    init(format: PlistDataStore.Format) {
        records = RecordTree()
        template = PropertyListTemplate(format: format)
        byteCount = 0
    }

    private init(_ list: PropertyList, byteCount: Int) {
        records = RecordTree(ordered: Self.declaringIndexes(list.entries))
        template = list.template
        self.byteCount = byteCount
    }

    /// Returns the contents as the bytes of a file.
    func serialized() -> [UInt8] {
        let declarations = declarations
        return template.bytes(capacity: byteCount + byteCount / 8 + 4096) { body in
            for entry in declarations { body(entry.key, entry.record) }
            records.forEach { key, record in if !key.isOfIndex { body(key, record) } }
        }
    }

    /// The number of records, without the declarations.
    var recordCount: Int {
        var count = 0
        records.forEach { key, _ in if !key.isOfIndex { count += 1 } }
        return count
    }

    // MARK: Reading

    /// Parses the bytes of a file.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the file is damaged, `notAStore` if it is not a store,
    ///   or `unsupportedFormat` if a newer program wrote it.
    init(_ bytes: [UInt8]) throws(DataStoreError) {
        do throws(PropertyListError) {
            self.init(try PropertyList(bytes), byteCount: bytes.count)
        } catch {
            throw error.ofStore
        }
    }

    /// Parses the intact parts of a file.
    ///
    /// - Returns: The contents, and the damaged parts in the order in which they were found.
    /// - Throws: `DataStoreError` with the code `notAStore` if the file is not a store, or `unsupportedFormat` if a
    ///   newer program wrote it.
    static func recovering(
        _ bytes: [UInt8]
    ) throws(DataStoreError) -> (contents: PlistContents, losses: [PropertyListError]) {
        do throws(PropertyListError) {
            let list = try PropertyList(recovering: bytes)
            return (PlistContents(list, byteCount: bytes.count), list.losses)
        } catch {
            throw error.ofStore
        }
    }

    /// Returns the entries of a file's root dictionary whose keys are in `names`, including entries of other programs.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the file is damaged or is not a property list, or if a
    ///   record cannot contain the value of a requested entry.
    static func entries(_ names: [String], of bytes: [UInt8]) throws(DataStoreError) -> Record {
        do throws(PropertyListError) {
            return try PropertyList.rootEntries(names, of: bytes)
        } catch {
            throw DataStoreError(.corrupted, "not a valid property list: \(error)", underlying: error)
        }
    }
}
