package import DataStoreTesting

extension Damage {
    /// Returns damage of a page that is in use: of its header, a node, a key, a child, the free list or a meta page, or
    /// of the whole page. Every fifth result is arbitrary damage of the file.
    package static func ofStructure(_ image: DataFileImage, using generator: inout SeededGenerator) -> [Damage] {
        let records = image.pages(from: image.recordRoot)
        func page(_ flags: Int) -> Int {
            records.filter { image.flags(page: $0) == flags }.randomElement(using: &generator) ?? image.recordRoot
        }
        func node(of page: Int) -> Int { image.nodes(of: page).randomElement(using: &generator) ?? 16 }
        func flip(_ page: Int, _ range: Range<Int>) -> Damage {
            let mask: UInt8 =
                Bool.random(using: &generator)
                ? 1 << UInt8.random(in: 0..<8, using: &generator) : .random(in: 1...255, using: &generator)
            return .flip(offset: page * pageSize + .random(in: range, using: &generator), mask: mask)
        }
        func key(of node: Int, on page: Int) -> Range<Int> {
            node + 8..<node + 8 + max(1, image.number(page: page, at: node + 6, 2))
        }
        let (branch, leaf, any) = (page(0x01), page(0x02), records.randomElement(using: &generator) ?? image.recordRoot)
        switch Int.random(in: 0..<15, using: &generator) {
        case 0: return [flip(any, 0..<16)]
        case 1: return [flip(any, 16..<16 + 2 * image.nodes(of: any).count)]
        case 2:
            let node = node(of: leaf)
            return [flip(leaf, node..<node + 8)]
        case 3: return [flip(leaf, key(of: node(of: leaf), on: leaf))]
        case 4: return [flip(branch, key(of: node(of: branch), on: branch))]
        case 5:
            let node = node(of: branch)
            return [flip(branch, node..<node + 8)]
        case 6:
            let free = image.pages(from: image.freeRoot).randomElement(using: &generator) ?? branch
            let start = image.nodes(of: free).min() ?? 16
            return [flip(free, Bool.random(using: &generator) ? 0..<18 : start..<min(start + 64, pageSize))]
        case 7: return [flip(image.newestMeta, 0..<152)]
        case 8: return [.copy(page: any, to: records.randomElement(using: &generator) ?? leaf)]
        case 9: return [.swap(page: any, with: records.randomElement(using: &generator) ?? leaf)]
        case 10: return [.zero(page: any)]
        case 11: return [.truncate(byteCount: .random(in: 0..<image.bytes.count, using: &generator))]
        default: return random(in: image.bytes.count, using: &generator)
        }
    }
}
