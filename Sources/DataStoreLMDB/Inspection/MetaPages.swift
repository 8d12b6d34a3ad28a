import DataStoreCore

/// The two meta pages of a data file. In an intact file, one belongs to the last transaction and the other to the
/// transaction before it.
struct MetaPages: Equatable {
    private let first: Meta?
    private let second: Meta?
    private let pageSize: Int

    /// Creates a value from the two pages of the file. A page is `nil` if it is not a meta page.
    init(first: Meta?, second: Meta?, pageSize: Int) {
        (self.first, self.second, self.pageSize) = (first, second, pageSize)
    }

    /// Returns the meta page that a transaction writes. A later transaction may have overwritten it.
    func page(of transaction: UInt) -> Meta? { transaction & 1 == 0 ? first : second }

    /// The intact meta page with the higher transaction number, or `nil` if both are damaged.
    var newest: Meta? {
        [first, second].compactMap { $0 }.filter { $0.damage(pageSize: pageSize) == nil }
            .max { $0.transaction < $1.transaction }
    }

    /// The pages with the magic number of a meta page, in descending order of their transaction numbers. They may be
    /// damaged.
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

    /// Throws an error if liblmdb would fail on the meta pages. Call this function before liblmdb opens the file.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted`, or `formatTooNew` if another version of LMDB wrote both
    ///   pages.
    func check() throws(DataStoreError) {
        try checkVersion()
        for (number, meta) in [first, second].enumerated() {
            guard let meta else { throw MetaPages.damaged(number, "not a meta page") }
            if let reason = meta.headDamage(pageSize: pageSize) { throw MetaPages.damaged(number, reason) }
        }
        // The next commit replaces the older page, and liblmdb uses only the head of that page.
        if let latest = candidates.first, let reason = latest.damage(pageSize: pageSize) ?? orderDamage {
            throw MetaPages.damaged(latest.index, reason)
        }
    }

    /// Throws an error if another version of LMDB wrote the file.
    ///
    /// - Throws: `DataStoreError` with the code `formatTooNew` if both pages contain the same version number, and this
    ///   program does not support that version.
    func checkVersion() throws(DataStoreError) {
        guard let first, let second, first.isOfOtherVersion, first.version == second.version else { return }
        throw DataStoreError.newerFormat(Int64(first.version), than: Int64(Meta.knownVersion))
    }

    /// A description of the damage if the two transaction numbers are not consecutive, otherwise `nil`. In a new
    /// environment, both numbers are 0, which is valid.
    private var orderDamage: String? {
        guard let first, let second, max(first.transaction, second.transaction) > 0 else { return nil }
        let (low, high) = (min(first.transaction, second.transaction), max(first.transaction, second.transaction))
        return high - low == 1 ? nil : "it has transaction \(high), and the other meta page has \(low)"
    }

    private static func damaged(_ page: Int, _ reason: String) -> DataStoreError {
        DataStoreError.damaged("meta page \(page) of data.mdb: \(reason)")
    }
}
