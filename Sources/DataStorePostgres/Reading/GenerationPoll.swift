import DataStoreCore

/// A task that detects commits of all programs by polling the generation of a store. It ends when the object is
/// released.
final class GenerationPoll: Sendable {
    /// The result of a poll: the generation of the store, or the description of an error.
    enum State: Equatable {
        case generation(UInt64)
        case failure(String)
    }

    private let task: Task<Void, Never>

    /// Starts to poll, every 50 milliseconds.
    ///
    /// - Parameters:
    ///   - readers: The readers of the store.
    ///   - first: The state with which the first poll is compared.
    ///   - timeout: The maximum time of a poll.
    ///   - changed: A closure that is called when the state differs from the state at the previous poll.
    init(
        _ readers: ReaderPool, from first: State, timeout: Duration, changed: @escaping @Sendable () -> Void
    ) {
        task = Task.detached {
            var seen = first
            while !Task.isCancelled {
                let now = await Self.state(readers, timeout)
                if now != seen { changed() }
                seen = now
                // `sleep` throws if the task is cancelled.
                do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
            }
        }
    }

    deinit { task.cancel() }

    /// Returns the current state of the store. If the store cannot be read, returns a failure with the error's
    /// description.
    static func state(_ readers: ReaderPool, _ timeout: Duration) async -> State {
        let deadline = ContinuousClock.now + timeout
        do {
            return .generation(
                try await readers.withReader(until: deadline) { try await $0.generation(until: deadline) })
        } catch {
            return .failure("\(error)")
        }
    }
}
