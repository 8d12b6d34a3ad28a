import Synchronization
import UserProfileKit

extension UserProfileStorage {
    /// Calls a closure after each commit that may have changed a collection, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - changed: Called at the start and after each commit.
    func observe(_ collection: String, _ changed: @Sendable () -> Void) async {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waker.yield()
        do {
            let observation = try await records.observe(ChangeScope.collection(collection)) { _ in waker.yield() }
            for await _ in wakes { changed() }
            withExtendedLifetime(observation) {}
        } catch {
            // The page shows the error of the store when the browser fetches it.
            changed()
        }
    }
}
