/// The order of the keys in one of the two trees of a data file.
enum KeyOrder {
    /// The order of keys by their bytes, as `memcmp` compares them. A key comes after each of its prefixes.
    case bytes
    /// The order of keys by their numbers. Each key is an integer in the byte order of the machine.
    case integers

    /// Returns whether both keys are valid and the left key comes before the right one.
    func isAscending(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .bytes: return left.lexicographicallyPrecedes(right)
        case .integers:
            guard let left = KeyOrder.integer(left), let right = KeyOrder.integer(right) else { return false }
            return left < right
        }
    }

    /// Returns whether bytes are a valid key of the tree.
    func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        self == .bytes || bytes.count == MemoryLayout<UInt>.size
    }

    static func integer(_ bytes: ArraySlice<UInt8>) -> UInt? {
        bytes.count == MemoryLayout<UInt>.size ? Array(bytes).number(at: 0, as: UInt.self) : nil
    }
}
