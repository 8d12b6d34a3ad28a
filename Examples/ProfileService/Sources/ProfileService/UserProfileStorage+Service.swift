import ServiceLifecycle
import UserProfileKit

// A service closes the storage when the program shuts down. The first service of a group ends last.
extension UserProfileStorage: @retroactive Service {
    /// Waits until the program shuts down, and closes the storage.
    public func run() async throws {
        // A group that fails cancels its services, which then end in the same way.
        try? await gracefulShutdown()
        await close()
    }
}
