/// How the keys of a tree are ordered.
enum KeyOrder {
    /// As bytes, as `memcmp` has it; then by length.
    case bytes
    /// As integers in the byte order of the machine.
    case integers

    /// Whether the left key comes before the right one, and both can be keys of such a tree.
    func isAscending(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .bytes: return left.lexicographicallyPrecedes(right)
        case .integers:
            guard let left = KeyOrder.integer(left), let right = KeyOrder.integer(right) else { return false }
            return left < right
        }
    }

    /// Whether bytes are a key of such a tree.
    func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        self == .bytes || bytes.count == MemoryLayout<UInt>.size
    }

    static func integer(_ bytes: ArraySlice<UInt8>) -> UInt? {
        bytes.count == MemoryLayout<UInt>.size ? Array(bytes).number(at: 0, as: UInt.self) : nil
    }
}
