import DataStoreCore
import RecordFraming

extension Snapshot {
    /// Returns a phrase that names the object under a key for a person, e.g. `the record users/me` or
    /// `an entry of the index mailAddress of users`.
    func object(of bytes: ArraySlice<UInt8>) -> String {
        let text = KeyBytes.text(of: bytes)
        guard bytes.first == 0, bytes != KeyBytes.format[...],
            let separator = bytes.dropFirst().firstIndex(of: 0)
        else { return bytes == KeyBytes.format[...] ? "the format version" : "the record \(text)" }
        let collection = String(decoding: bytes[..<separator], as: UTF8.self)
        if collection.hasSameBytes(as: IndexCatalogueRecord.collection) {
            return "the index definitions of \(KeyBytes.text(of: bytes[(separator + 1)...]))"
        }
        let number = collection.dropFirst(IndexCatalogueRecord.entriesPrefix.count)
        return "an entry of the index \(indexName(of: collection) ?? "\(number)".escapingControlCharacters)"
    }

    /// Returns the name of the index whose entries are in a collection, and of the indexed collection. Returns `nil` if
    /// the definitions of the indexes are missing or damaged.
    private func indexName(of entries: String) -> String? {
        var name: String?
        do throws(DataStoreError) {
            var cursor = VerifyingCursor(self)
            try cursor.scan(Scan(stored: IndexCatalogueRecord.collection), using: StoredRecord()) { key, view in
                do throws(DataStoreError) {
                    name = IndexCatalogueRecord.indexName(ofEntries: entries, in: try view.record())
                } catch {
                    // The damaged definitions are a finding of their own.
                }
                guard let found = name else { return .next }
                name = "\(found) of \(key.id)".escapingControlCharacters
                return .stop
            }
        } catch {
            // The damaged page is a finding of its own.
        }
        return name
    }
}
