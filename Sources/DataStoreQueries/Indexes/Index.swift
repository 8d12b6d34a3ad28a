/// An index of a collection: its field, and its state in the store.
///
/// It is a class, because each save copies the indexes of a collection, and copying a reference is fast.
final class Index: Sendable {
    let field: QueryField
    let state: IndexState
    /// The bytes with which the key of each entry begins, for ``IndexEntryChanges``.
    let keyPrefix: [UInt8]
    /// The index that the program declares in place of this one, or `nil`.
    let replacement: String?

    init(_ field: QueryField, _ state: IndexState, replacement: String? = nil) {
        self.replacement = replacement
        self.field = field
        self.state = state
        keyPrefix = Array(state.entriesCollection.utf8) + [0]
    }

    var name: String { field.name }
    var isUnique: Bool { state.isUnique }
    var isCovering: Bool { state.isCovering }
    var isReady: Bool { state.isReady }

    /// The definition of the index, which any program may have declared.
    var definition: IndexDefinition { IndexDefinition(field, isUnique: isUnique, isCovering: isCovering) }

    /// Returns whether the index already has entries for the record with an id.
    func hasReached(_ id: String) -> Bool { isReady || state.hasReached(id) }
}
