import DataStoreCore
import Synchronization

/// The validation of pages that no read transaction keeps unchanged.
final class SnapshotValidation: Sendable {
    private let metas: MetaPages
    private let isFailed = Atomic(false)

    /// Creates the validation of the pages to which the newest of two meta pages refers.
    init(_ metas: MetaPages) { self.metas = metas }

    /// Whether a page that was read may have been reused.
    var hasFailed: Bool { isFailed.load(ordering: .relaxed) }

    /// Throws ``PageDamage`` if a page that has just been read may have been reused.
    func check(_ file: PageFile) throws(DataStoreError) {
        if try file.keeps(metas) { return }
        isFailed.store(true, ordering: .relaxed)
        throw DataStoreError(.busy, "another process has reused it")
    }
}
