extension RecordTree {
    /// A node of a ``RecordTree``: a key and its record, with subtrees of the smaller and the greater keys. A node is
    /// immutable, so that several trees can share it.
    final class Node: Sendable {
        private let searchKey: SearchKey
        let record: Record
        let left: Node?
        let right: Node?
        let count: Int

        var key: Key { searchKey.key }

        init(_ left: Node?, _ searchKey: SearchKey, _ record: Record, _ right: Node?) {
            self.left = left
            self.searchKey = searchKey
            self.record = record
            self.right = right
            self.count = left.count + right.count + 1
        }

        // The function is recursive, because a loop would retain and release each node on the path.
        func record(for key: Key, _ prefixes: SearchKey.Prefixes) -> Record? {
            switch searchKey.order(of: key, prefixes) {
            case 0: record
            case ..<0: left?.record(for: key, prefixes)
            default: right?.record(for: key, prefixes)
            }
        }

        /// Returns a balanced tree of ordered entries. The numbers of nodes in both subtrees of a node differ by at
        /// most one.
        static func tree(of entries: ArraySlice<Entry>) -> Node? {
            guard !entries.isEmpty else { return nil }
            let middle = entries.startIndex + entries.count / 2
            return Node(
                tree(of: entries[..<middle]), SearchKey(entries[middle].key), entries[middle].record,
                tree(of: entries[(middle + 1)...]))
        }

        static func putting(_ record: Record, for key: SearchKey, in node: Node?) -> Node {
            guard let node else { return Node(nil, key, record, nil) }
            return switch key.order(to: node.searchKey) {
            case 0: Node(node.left, key, record, node.right)
            case ..<0: balanced(putting(record, for: key, in: node.left), node, node.right)
            default: balanced(node.left, node, putting(record, for: key, in: node.right))
            }
        }

        static func removing(_ key: SearchKey, from node: Node) -> Node? {
            let order = key.order(to: node.searchKey)
            if order < 0 {
                return balanced(node.left.flatMap { removing(key, from: $0) }, node, node.right)
            } else if order > 0 {
                return balanced(node.left, node, node.right.flatMap { removing(key, from: $0) })
            }
            guard let left = node.left else { return node.right }
            guard let right = node.right else { return left }
            let (next, rest) = removingFirst(from: right)
            return balanced(left, next, rest)
        }

        private static func removingFirst(from node: Node) -> (first: Node, rest: Node?) {
            guard let left = node.left else { return (node, node.right) }
            let (first, rest) = removingFirst(from: left)
            return (first, balanced(rest, node, node.right))
        }

        // The weight of a subtree is its number of nodes plus 1. It may be at most `delta` times the weight of the
        // sibling. `ratio` decides between a single and a double rotation.
        private static let delta = 3
        private static let ratio = 2

        /// Returns a balanced tree of two subtrees and the node between them.
        ///
        /// - Precondition: The two subtrees were in balance with each other, and since then at most one node has been
        ///   added to or removed from one of them.
        private static func balanced(_ left: Node?, _ middle: Node, _ right: Node?) -> Node {
            let (leftWeight, rightWeight) = (left.count + 1, right.count + 1)
            if let right, rightWeight > delta * leftWeight {
                if let inner = right.left, inner.count + 1 >= ratio * (right.right.count + 1) {
                    return Node(Node(left, middle, inner.left), inner, Node(inner.right, right, right.right))
                }
                return Node(Node(left, middle, right.left), right, right.right)
            }
            if let left, leftWeight > delta * rightWeight {
                if let inner = left.right, inner.count + 1 >= ratio * (left.left.count + 1) {
                    return Node(Node(left.left, left, inner.left), inner, Node(inner.right, middle, right))
                }
                return Node(left.left, left, Node(left.right, middle, right))
            }
            return Node(left, middle, right)
        }

        private convenience init(_ left: Node?, _ middle: Node, _ right: Node?) {
            self.init(left, middle.searchKey, middle.record, right)
        }

        static func forEach<Failure: Error>(
            in node: Node?, _ body: (Key, Record) throws(Failure) -> Void
        ) throws(Failure) {
            guard let node else { return }
            try forEach(in: node.left, body)
            try body(node.key, node.record)
            try forEach(in: node.right, body)
        }

        static func collection(after name: String?, in node: Node?) -> String? {
            guard let node else { return nil }
            guard name.map({ $0.utf8.lexicographicallyPrecedes(node.key.collection.utf8) }) ?? true else {
                return collection(after: name, in: node.right)
            }
            return collection(after: name, in: node.left) ?? node.key.collection
        }

        /// Returns the number of records before the first one whose collection does not meet a condition.
        static func count(in node: Node?, while condition: (String) -> Bool) -> Int {
            var (node, count) = (node, 0)
            while let current = node {
                let isCounted = condition(current.key.collection)
                if isCounted { count += current.left.count + 1 }
                node = isCounted ? current.right : current.left
            }
            return count
        }

        static func scan(_ scan: Scan, in node: Node?, _ visit: (Key, Record) -> Scan.Step) -> Scan.Step {
            guard let node else { return .next }
            let order = order(of: node.key, to: scan)
            let (first, second) = scan.isReversed ? (node.right, node.left) : (node.left, node.right)
            // If a key is out of range on one side, all keys beyond it on that side are out of range, too.
            let (firstIsOut, secondIsOut) =
                scan.isReversed ? (order > 0, order < 0) : (order < 0, order > 0)
            if !firstIsOut, Self.scan(scan, in: first, visit) == .stop { return .stop }
            if order == 0, visit(node.key, node.record) == .stop { return .stop }
            if !secondIsOut { return Self.scan(scan, in: second, visit) }
            return .next
        }

        /// Compares a key with the range of a scan. The result is negative if the key comes before the range, 0 if it
        /// is in the range, and positive otherwise.
        private static func order(of key: Key, to scan: Scan) -> Int {
            if !key.collection.hasSameBytes(as: scan.collection) {
                return key.collection.utf8.lexicographicallyPrecedes(scan.collection.utf8) ? -1 : 1
            }
            if scan.ids.isAbove(key.id) { return -1 }
            return scan.ids.isBelow(key.id) ? 1 : 0
        }
    }
}

extension RecordTree.Node? {
    var count: Int { self?.count ?? 0 }
}

/// A key together with its first bytes as integers, so that most comparisons of a search compare integers instead of
/// strings.
struct SearchKey: Sendable {
    let key: Key
    private let prefixes: Prefixes

    /// The first bytes of a key as big-endian integers, padded with zeros: 8 bytes of the collection name, and 16 bytes
    /// of the id.
    ///
    /// A name or id contains no zero byte after its first byte. If the last byte of an integer is zero, the text
    /// therefore ends within this integer.
    struct Prefixes: Sendable {
        fileprivate let collection: UInt64
        fileprivate let id: (UInt64, UInt64)

        init(of key: borrowing Key) {
            collection = key.collection.prefixes.first
            id = key.id.prefixes
        }
    }

    init(_ key: Key) {
        self.key = key
        prefixes = Prefixes(of: key)
    }

    /// Compares two keys. The result is negative if this key comes first, 0 if the keys are equal, and positive
    /// otherwise.
    func order(to other: SearchKey) -> Int { other.order(of: key, prefixes) }

    /// Compares a key, whose prefixes are given, with this key. The result is negative if the given key comes first, 0
    /// if the keys are equal, and positive otherwise.
    @inline(__always)
    func order(of other: Key, _ its: Prefixes) -> Int {
        if its.collection != prefixes.collection { return its.collection < prefixes.collection ? -1 : 1 }
        // If the last byte is zero, the integer contains the whole name.
        if its.collection & 0xFF != 0 {
            let order = other.collection.byteOrder(to: key.collection)
            if order != 0 { return order }
        }
        if its.id.0 != prefixes.id.0 { return its.id.0 < prefixes.id.0 ? -1 : 1 }
        if its.id.1 != prefixes.id.1 { return its.id.1 < prefixes.id.1 ? -1 : 1 }
        return its.id.1 & 0xFF == 0 ? 0 : other.id.byteOrder(to: key.id)
    }
}

extension String {
    /// The first and the second eight bytes of the UTF-8 as big-endian integers, padded with zeros after the end.
    @inline(__always)
    fileprivate var prefixes: (first: UInt64, second: UInt64) {
        withBytes { bytes in
            let count = bytes.count
            return (bytes.prefix(at: 0, length: count), count > 8 ? bytes.prefix(at: 8, length: count &- 8) : 0)
        }
    }
}
