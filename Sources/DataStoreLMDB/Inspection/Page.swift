/// A page with its nodes. Every access is within its bytes.
struct Page {
    /// What a page can be in a store (`mp_flags`).
    enum Kind: UInt16 {
        case branch = 0x01, leaf = 0x02, largeValue = 0x04
    }

    /// The bytes of the head: the number, an unused short, the flags, and two bounds or a count.
    static let headCount = MemoryLayout<UInt>.size + 8
    static let flagsOffset = MemoryLayout<UInt>.size + 2
    private static let lowerOffset = MemoryLayout<UInt>.size + 4
    private static let upperOffset = MemoryLayout<UInt>.size + 6

    let number: PageNumber
    let bytes: [UInt8]

    /// The number that is written in the page.
    var storedNumber: PageNumber { bytes.number(at: 0, as: PageNumber.self) ?? 0 }

    var kind: Kind? { bytes.number(at: Page.flagsOffset, as: UInt16.self).flatMap(Kind.init) }

    /// How many pages a large value has that begins here.
    var largeValuePageCount: PageNumber {
        PageNumber(bytes.number(at: Page.lowerOffset, as: UInt32.self) ?? 0)
    }

    /// Where the list of the nodes' places ends.
    private var lower: Int { Int(bytes.number(at: Page.lowerOffset, as: UInt16.self) ?? 0) }

    /// Where the first node begins.
    private var upper: Int { Int(bytes.number(at: Page.upperOffset, as: UInt16.self) ?? 0) }

    /// The nodes of a page that is as liblmdb leaves one: they fill it from `upper` to the end.
    func nodes(isBranch: Bool) throws(PageDamage) -> [Node] {
        guard lower >= Page.headCount, lower.isMultiple(of: 2), lower <= upper, upper <= bytes.count else {
            throw PageDamage("its bounds are \(lower) and \(upper)")
        }
        let nodes = places.map { Node(in: bytes, at: $0, isBranch: isBranch) }
        guard nodes.count >= (isBranch ? 2 : 1) else { throw PageDamage("it has \(nodes.count) nodes") }
        let sound = nodes.compactMap(\.self)
        guard sound.count == nodes.count else { throw PageDamage("a node of it is beyond its end or of no known kind") }
        guard Page.tile(sound, upper..<bytes.count) else { throw PageDamage("nodes of it overlap or leave gaps") }
        return sound
    }

    /// The nodes of a damaged leaf that may still be what was written; what is in them must be checked.
    ///
    /// Behind the bounds there may be remains of removed nodes: none of them is among the nodes.
    func remainingNodes() -> [Node] {
        guard lower >= Page.headCount, lower <= bytes.count else { return [] }
        let nodes = places.compactMap { Node(in: bytes, at: $0, isBranch: false) }
        // Some node begins at the bound, unless the bound is damaged; then the nodes must prove that they are all.
        if nodes.contains(where: { $0.start == upper }) { return nodes.filter { $0.start >= upper } }
        guard nodes.count == places.count, let start = nodes.map(\.start).min(), start >= lower,
            Page.tile(nodes, start..<bytes.count)
        else { return [] }
        return nodes
    }

    /// Where the nodes begin, in the order of their keys.
    private var places: [Int] {
        stride(from: Page.headCount, to: lower - 1, by: 2).compactMap {
            bytes.number(at: $0, as: UInt16.self).map(Int.init)
        }
    }

    private static func tile(_ nodes: [Node], _ range: Range<Int>) -> Bool {
        var end = range.lowerBound
        for node in nodes.sorted(by: { $0.start < $1.start }) {
            guard node.start == end else { return false }
            end = node.end
        }
        return end == range.upperBound
    }
}
