/// The entries of other programs in a binary property list. Their objects are preserved byte for byte, except for their
/// references.
package struct BinaryTemplate: Sendable {
    /// The objects of the entries.
    var objects = BinaryObjects()
    /// The numbers of the keys.
    var keys: [Int] = []
    /// The numbers of the values.
    var values: [Int] = []
}
