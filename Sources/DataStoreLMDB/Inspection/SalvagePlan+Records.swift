import DataStoreCore

extension SalvagePlan {
    /// A leaf, with those of its nodes that can be read; nil where it holds nothing that can be trusted.
    func leaf(_ number: PageNumber) -> (page: Page, nodes: [Node])? {
        do throws(PageDamage) {
            let page = try snapshot.page(number)
            // A page with the number of another one was copied there; with the number of none, the number is damaged.
            guard page.storedNumber == number || page.storedNumber > snapshot.meta.lastPage else { return nil }
            do throws(PageDamage) {
                return (page, try page.nodes(isBranch: false))
            } catch {
                // Why is among the findings.
                return (page, page.remainingNodes())
            }
        } catch {
            // It could be read before; whatever happened, its records are gone.
            return nil
        }
    }

    /// The record of a node; nil where it is the one of the store's format.
    ///
    /// - Throws: `DataStoreError`: `corrupted` where it is not what was written, `formatTooNew`.
    func record(of node: Node, in page: Page) throws(DataStoreError) -> FoundRecord? {
        let frame: [UInt8]
        do throws(PageDamage) {
            if case .largeValue(let first, _) = node.content, outdated.contains(first) {
                throw PageDamage("its value is on a page that is free")
            }
            frame = try snapshot.value(of: node, in: page)
        } catch {
            throw DataStoreError(.corrupted, error.reason, underlying: error)
        }
        return try FoundRecord(key: page.bytes[node.key], frame: frame)
    }
}
