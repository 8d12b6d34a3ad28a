import DataStoreCore

/// The two meta pages: that of the last transaction, and that of the one before.
struct MetaPages: Equatable {
    private let first: Meta?
    private let second: Meta?
    private let pageSize: Int

    /// Takes what is in the file; nil for what is no meta page.
    init(first: Meta?, second: Meta?, pageSize: Int) {
        (self.first, self.second, self.pageSize) = (first, second, pageSize)
    }

    /// The meta page of a transaction, whoever wrote last to where it is.
    func page(of transaction: UInt) -> Meta? { transaction & 1 == 0 ? first : second }

    /// The sound meta page with the higher transaction number.
    var newest: Meta? {
        [first, second].compactMap { $0 }.filter { $0.damage(pageSize: pageSize) == nil }
            .max { $0.transaction < $1.transaction }
    }

    /// Both, where they are meta pages at all, the one with the higher transaction number first.
    var candidates: [Meta] { [first, second].compactMap { $0 }.sorted { $0.transaction > $1.transaction } }

    /// What is wrong with them.
    var findings: [LMDBDataStore.CheckReport.Finding] {
        var findings: [LMDBDataStore.CheckReport.Finding] = []
        for (number, meta) in [first, second].enumerated() {
            let reason = meta.map { $0.damage(pageSize: pageSize) } ?? "it is no meta page"
            if let reason { findings.append(.init(.damagedMeta, page: PageNumber(number), reason)) }
        }
        if findings.isEmpty, let newest, let reason = orderDamage {
            findings.append(.init(.damagedMeta, page: PageNumber(newest.index), reason))
        }
        return findings
    }

    /// Refuses what liblmdb would stumble over, before it sees the file.
    ///
    /// - Throws: `DataStoreError`: `corrupted`, or `formatTooNew` where both are of another version of LMDB.
    func check() throws(DataStoreError) {
        try checkVersion()
        for (number, meta) in [first, second].enumerated() {
            guard let meta else { throw MetaPages.damaged(number, "it is no meta page") }
            if let reason = meta.headDamage(pageSize: pageSize) { throw MetaPages.damaged(number, reason) }
        }
        // Of the one that the next commit replaces, nobody reads the rest.
        if let latest = candidates.first, let reason = latest.damage(pageSize: pageSize) ?? orderDamage {
            throw MetaPages.damaged(latest.index, reason)
        }
    }

    /// - Throws: `DataStoreError` with the code `formatTooNew` where both are of the same other version of LMDB.
    func checkVersion() throws(DataStoreError) {
        guard let first, let second, first.isOfOtherVersion, first.version == second.version else { return }
        throw DataStoreError(
            .formatTooNew, "its data file is of version \(first.version) of LMDB's format; use a newer program")
    }

    /// Meta pages are of transactions that follow one another; of a new environment both are of none.
    private var orderDamage: String? {
        guard let first, let second, max(first.transaction, second.transaction) > 0 else { return nil }
        let (low, high) = (min(first.transaction, second.transaction), max(first.transaction, second.transaction))
        return high - low == 1 ? nil : "it is of transaction \(high), and the other one of \(low)"
    }

    private static func damaged(_ page: Int, _ reason: String) -> DataStoreError {
        DataStoreError(
            .corrupted, "the meta page \(page) of its data.mdb is damaged (\(reason)); salvage it or restore a backup")
    }
}
