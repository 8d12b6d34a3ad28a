import DataStoreCore

extension SalvagePlan {
    /// Returns a leaf page and its readable nodes. Returns `nil` if the page cannot be read, or if the number in its
    /// header shows that it is a copy of another page.
    func leaf(_ number: PageNumber) -> (page: Page, nodes: [Node])? {
        do throws(PageDamage) {
            let page = try snapshot.page(number)
            // If the page contains the number of another page, it was copied to this position. A number beyond the last
            // page is itself damaged.
            guard page.storedNumber == number || page.storedNumber > snapshot.meta.lastPage else { return nil }
            do throws(PageDamage) {
                return (page, try page.nodes(isBranch: false))
            } catch {
                // The findings contain the reason.
                return (page, page.remainingNodes())
            }
        } catch {
            // The page was readable during the walk and is no longer readable, so its records are lost.
            return nil
        }
    }

    /// Returns the record of a node, or `nil` if it is the record with the format version.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the record is damaged, or `formatTooNew` if a newer
    ///   program wrote it.
    func record(of node: Node, in page: Page) throws(DataStoreError) -> SalvagedRecord? {
        let frame: [UInt8]
        do throws(PageDamage) {
            if case .largeValue(let first, _) = node.content, outdated.contains(first) {
                throw PageDamage("its value is on a free page")
            }
            frame = try snapshot.value(of: node, in: page)
        } catch {
            throw DataStoreError(.corrupted, error.reason, underlying: error)
        }
        return try SalvagedRecord(key: page.bytes[node.key], frame: frame)
    }
}
