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
        let format = try PlistContents.format(of: bytes)
        do throws(PropertyListError) {
            self.init(try PropertyList(bytes, format), byteCount: bytes.count)
        } catch {
            throw PlistContents.error(error, bytes, format)
        }
    }

    /// Parses the intact parts of a damaged file. Returns `nil` if the file is intact.
    ///
    /// - Returns: The contents, and the damaged parts in the order in which they were found.
    /// - Throws: `DataStoreError` with the code `notAStore` if the file is not a store, or `unsupportedFormat` if a
    ///   newer program wrote it.
    static func recovering(
        _ bytes: [UInt8]
    ) throws(DataStoreError) -> (contents: PlistContents, losses: [PropertyListError])? {
        do throws(DataStoreError) {
            _ = try PlistContents(bytes)
            return nil
        } catch  where error.code == .corrupted {}
        let format = try format(of: bytes)
        do throws(PropertyListError) {
            let list = try PropertyList(recovering: bytes, format)
            let losses = PropertyListError.located(list.losses, in: bytes, format)
            return (PlistContents(list, byteCount: bytes.count), losses)
        } catch {
            throw PlistContents.error(error, bytes, format)
        }
    }

    /// Returns the entries of a file's root dictionary whose keys are in `names`, including entries of other programs.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the file is damaged or is not a property list, or if a
    ///   record cannot contain the value of a requested entry.
    static func entries(_ names: [String], of bytes: [UInt8]) throws(DataStoreError) -> Record {
        guard let format = PlistDataStore.Format(firstBytes: bytes) else {
            throw DataStoreError(
                .corrupted, "not a valid property list: \(PlistDataStore.Format.rejection(firstBytes: bytes))")
        }
        do throws(PropertyListError) {
            return try PropertyList.rootEntries(names, of: bytes, format)
        } catch {
            let cause = error.located(in: bytes, format)
            throw DataStoreError(.corrupted, "not a valid property list: \(cause)", underlying: cause)
        }
    }

    private static func format(of bytes: [UInt8]) throws(DataStoreError) -> PlistDataStore.Format {
        if let format = PlistDataStore.Format(firstBytes: bytes) { return format }
        throw DataStoreError.notAStore(PlistDataStore.Format.rejection(firstBytes: bytes))
    }

    private static func error(
        _ error: PropertyListError, _ bytes: [UInt8], _ format: PlistDataStore.Format
    ) -> DataStoreError {
        switch error.code {
        case .notAStore: return DataStoreError.notAStore(error.reason)
        case .unsupportedFormat: return DataStoreError(.unsupportedFormat, error.reason)
        default:
            let cause = error.located(in: bytes, format)
            return DataStoreError.damaged("\(cause)", underlying: cause)
        }
    }
}
