import DataStoreQueries

/// The JSON output for an index. The number of entries is omitted if it is unknown.
struct IndexOutput: Encodable {
    let collection: String
    let name: String
    let isUnique: Bool
    let state: String
    let entryCount: Int?

    init(_ index: StoredIndex) {
        collection = index.collection
        name = index.name
        isUnique = index.isUnique
        state = "\(index.state)"
        entryCount = index.entryCount
    }
}
