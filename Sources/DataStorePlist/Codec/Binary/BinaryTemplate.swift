/// The entries of other programs in a binary property list. A write preserves the bytes of their objects, except for
/// references.
package struct BinaryTemplate: Sendable {
    /// The objects of the entries.
    var objects = BinaryObjects()
    /// The numbers of the objects that are keys of the entries.
    var keys: [Int] = []
    /// The numbers of the objects that are values of the entries.
    var values: [Int] = []
}
