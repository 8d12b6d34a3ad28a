/// What a backend has found out about the indexes of its snapshot, for the next query of the same one.
///
/// It is used by who uses the backend.
public final class IndexMemory {
    private var states: [(collection: String, name: String, state: IndexState?)] = []

    /// Remembers nothing yet.
    public init() {}

    /// Forgets everything: to be called where the backend has another snapshot.
    public func forget() { states.removeAll(keepingCapacity: true) }

    /// The state of an index, found out where it is not remembered.
    func state(
        of name: String, of collection: String, _ find: () throws -> IndexState?
    ) throws -> IndexState? {
        for known in states where known.name.hasSameBytes(as: name) && known.collection.hasSameBytes(as: collection) {
            return known.state
        }
        let state = try find()
        states.append((collection, name, state))
        return state
    }
}
