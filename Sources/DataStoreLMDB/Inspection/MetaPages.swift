import DataStoreCore

/// The two meta pages, which belong to the last transaction and the one before.
struct MetaPages: Equatable {
    private let first: Meta?
    private let second: Meta?
    private let pageSize: Int

    /// Creates a value from the contents of the file; `nil` stands for a page that is not a meta page.
    init(first: Meta?, second: Meta?, pageSize: Int) {
        (self.first, self.second, self.pageSize) = (first, second, pageSize)
    }

    /// Returns the meta page that a transaction writes. Another transaction may have overwritten it since.
    func page(of transaction: UInt) -> Meta? { transaction & 1 == 0 ? first : second }

    /// The intact meta page with the higher transaction number.
    var newest: Meta? {
        [first, second].compactMap { $0 }.filter { $0.damage(pageSize: pageSize) == nil }
            .max { $0.transaction < $1.transaction }
    }

    /// The pages that are meta pages, the one with the higher transaction number first.
    var candidates: [Meta] { [first, second].compactMap { $0 }.sorted { $0.transaction > $1.transaction } }

    /// The problems with the meta pages.
    var findings: [LMDBDataStore.CheckReport.Finding] {
        var findings: [LMDBDataStore.CheckReport.Finding] = []
        for (number, meta) in [first, second].enumerated() {
            let reason = meta.map { $0.damage(pageSize: pageSize) } ?? "not a meta page"
            if let reason { findings.append(.init(.damagedMeta, page: PageNumber(number), reason)) }
        }
        if findings.isEmpty, let newest, let reason = orderDamage {
            findings.append(.init(.damagedMeta, page: PageNumber(newest.index), reason))
        }
        return findings
    }

    /// Rejects damage that would make liblmdb fail, before liblmdb opens the file.
    ///
    /// - Throws: `DataStoreError`: `corrupted`, or `formatTooNew` if both are of the same other version of LMDB.
    func check() throws(DataStoreError) {
        try checkVersion()
        for (number, meta) in [first, second].enumerated() {
            guard let meta else { throw MetaPages.damaged(number, "not a meta page") }
            if let reason = meta.headDamage(pageSize: pageSize) { throw MetaPages.damaged(number, reason) }
        }
        // The next commit replaces the older page, and nothing reads the rest of it.
        if let latest = candidates.first, let reason = latest.damage(pageSize: pageSize) ?? orderDamage {
            throw MetaPages.damaged(latest.index, reason)
        }
    }

    /// Rejects another version of LMDB.
    ///
    /// - Throws: `DataStoreError` with the code `formatTooNew` if both pages are of the same other version.
    func checkVersion() throws(DataStoreError) {
        guard let first, let second, first.isOfOtherVersion, first.version == second.version else { return }
        throw DataStoreError.newerFormat(Int64(first.version), than: Int64(Meta.knownVersion))
    }

    /// The damage if the two transaction numbers are not consecutive, or `nil`. In a new environment both are 0.
    private var orderDamage: String? {
        guard let first, let second, max(first.transaction, second.transaction) > 0 else { return nil }
        let (low, high) = (min(first.transaction, second.transaction), max(first.transaction, second.transaction))
        return high - low == 1 ? nil : "it has transaction \(high), and the other meta page has \(low)"
    }

    private static func damaged(_ page: Int, _ reason: String) -> DataStoreError {
        DataStoreError.damaged("meta page \(page) of data.mdb: \(reason)")
    }
}
