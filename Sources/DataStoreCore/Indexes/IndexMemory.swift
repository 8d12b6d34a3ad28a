/// What a backend has found out about the indexes of its snapshot, for the next query of the same one.
///
/// It is used by who uses the backend.
public final class IndexMemory {
    /// More are not remembered: they are looked for one after the other.
    private static let most = 32

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
        if states.count == Self.most { forget() }
        states.append((collection, name, state))
        return state
    }
}
