import DataStoreCore

extension Snapshot {
    /// Returns the first key of the tree of records and its value, or `nil` if the tree is empty.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if a page on the path to the key is damaged.
    func first() throws(DataStoreError) -> (key: [UInt8], value: [UInt8])? {
        guard var number = meta.records.root else { return nil }
        do throws(PageDamage) {
            for _ in 0..<meta.records.depth {
                let page = try page(number)
                let isBranch = page.kind == .branch
                guard page.storedNumber == number, isBranch || page.kind == .leaf else {
                    throw PageDamage("not the expected page of a tree")
                }
                guard let node = try page.nodes(isBranch: isBranch).first else { break }
                guard case .child(let child) = node.content else {
                    return (Array(page.bytes[node.key]), try value(of: node, in: page))
                }
                number = child
            }
            throw PageDamage("the tree is deeper than the meta page records")
        } catch {
            throw DataStoreError.damaged("page \(number) of data.mdb: \(error.reason)", underlying: error)
        }
    }
}
