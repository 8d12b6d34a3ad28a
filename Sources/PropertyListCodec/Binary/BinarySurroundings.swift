/// The entries of other programs in a binary property list. Their objects are written back byte for byte with new
/// references.
package struct BinarySurroundings: Sendable {
    /// The objects of the entries.
    var objects = BinaryObjects()
    /// The numbers of the keys.
    var keys: [Int] = []
    /// The numbers of the values.
    var values: [Int] = []
}
