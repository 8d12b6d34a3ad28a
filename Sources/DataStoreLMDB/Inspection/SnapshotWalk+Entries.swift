import DataStoreCore
import RecordFraming

/// These functions check the entries of leaf pages.
extension SnapshotWalk {
    /// Checks an entry of a leaf page, and records any damage.
    mutating func addEntry(_ node: Node, of page: Page) {
        tree.entryCount += 1
        let key = page.bytes[node.key]
        do throws(PageDamage) {
            if case .largeValue(let first, let byteCount) = node.content {
                try takeLargeValue(at: first, byteCount: byteCount)
            }
            switch tree.kind {
            case .free: try addFreePages(try snapshot.value(of: node, in: page), of: key)
            case .records: if verifiesRecords { addRecord(try snapshot.value(of: node, in: page), of: key, page) }
            }
        } catch {
            note(error, at: page.number)
            if tree.kind == .records, verifiesRecords, !error.isTruncated {
                findings.append(Finding(page.number, key: key, in: snapshot, error.reason))
            }
        }
    }

    private mutating func addRecord(_ value: [UInt8], of key: ArraySlice<UInt8>, _ page: Page) {
        do throws(DataStoreError) {
            if let found = try SalvagedRecord(key: key, frame: value) {
                if !found.key.isOfIndex { recordCount += 1 }
            } else {
                tree.hasFormat = true
            }
        } catch  where error.code == .formatTooNew {
            formatError = error
        } catch {
            findings.append(Finding(page.number, key: key, in: snapshot, error.reason))
        }
    }

    /// Marks the overflow pages of a value as used. Throws ``PageDamage`` if the pages are damaged.
    private mutating func takeLargeValue(at first: PageNumber, byteCount: UInt) throws(PageDamage) {
        let count = try snapshot.verifiedPageCount(ofLargeValueAt: first, byteCount: byteCount)
        tree.largeValuePageCount += count
        for page in first..<(first + count) where !used.insert(page) {
            throw PageDamage("several entries refer to page \(page)")
        }
    }

    /// Adds the pages of an entry of the free list. The value of the entry consists of a count and of page numbers in
    /// descending order. Unused space may follow.
    private mutating func addFreePages(_ list: [UInt8], of key: ArraySlice<UInt8>) throws(PageDamage) {
        guard let transaction = KeyOrder.integer(key), transaction > 0, transaction <= snapshot.meta.transaction else {
            throw PageDamage("a list of free pages on it has no transaction")
        }
        let wordCount = MemoryLayout<PageNumber>.size
        guard list.count.isMultiple(of: wordCount), let count = list.number(at: 0, as: UInt.self),
            count <= UInt(list.count / wordCount - 1)
        else { throw PageDamage("a list of free pages on it has an invalid length") }
        lastFreeingTransaction = max(lastFreeingTransaction, transaction)
        var previous = snapshot.meta.lastPage + 1
        for index in 0..<Int(count) {
            guard let page = list.number(at: (index + 1) * wordCount, as: PageNumber.self), page >= Meta.count,
                page < previous
            else { throw PageDamage("a list of free pages on it is not in order") }
            guard free.insert(page) else { throw PageDamage("page \(page) is listed as free more than once") }
            previous = page
            if page == snapshot.other?.records.root, transaction == snapshot.meta.transaction {
                hasFreedOtherRoot = true
            }
        }
    }
}
