import DataStoreLMDB
import UserProfileKit

/// Two stores with the same profiles. This package saves to one store and the peer to the other.
struct SavePair {
    let store: LMDBDataStore
    let storage: UserProfileStorage
    let peer: BareEnvironment

    private let stage: Stage
    private let paths: (ours: String, theirs: String)

    init(_ stage: Stage, count: Int) async throws {
        self.stage = stage
        paths = (try await stage.store(count: count), try await stage.store(count: count))
        store = try LMDBDataStore(path: paths.ours)
        storage = try UserProfileStorage(store: store)
        peer = try BareEnvironment(path: paths.theirs)
    }

    /// Throws ``Failure`` unless both stores contain the same profiles, byte for byte. Other entries are not compared,
    /// because the use case also records which indexes it maintains.
    func closeAndCompare() async throws {
        await store.close()
        let (ours, theirs) = (
            try BareReader(BareEnvironment(path: paths.ours)).profiles(), try BareReader(peer).profiles()
        )
        guard ours == theirs else { throw Failure("this package and the peer saved different values") }
        try stage.remove(paths.ours)
        try stage.remove(paths.theirs)
    }
}
