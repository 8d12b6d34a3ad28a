import Observation
import UserProfileKit

/// A check of the whole store in the background: its progress, and its last result.
@Observable @MainActor
final class StoreCheck {
    /// The state of a check.
    enum State: Sendable {
        /// No check has run.
        case idle
        /// A check is running and has read a number of records.
        case running(recordCount: Int)
        /// The last check found these problems.
        case finished([String])
        /// The last check could not read the store.
        case failed(String)
        /// The last check was cancelled.
        case cancelled
    }

    private let location: StorageLocation
    @ObservationIgnored private var task: Task<Void, Never>?

    private(set) var state = State.idle

    nonisolated init(_ location: StorageLocation) { self.location = location }

    /// Starts a check, unless one is running.
    func start() {
        guard task == nil else { return }
        state = .running(recordCount: 0)
        task = Task {
            let (steps, feed) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            async let result = check(feed)
            for await count in steps { state = .running(recordCount: count) }
            let end = await result
            (task, state) = (nil, end)
        }
    }

    /// Cancels the running check.
    func cancel() { task?.cancel() }

    /// Checks the store, on the global executor, and passes the numbers of records that were read to a stream.
    nonisolated private func check(_ steps: AsyncStream<Int>.Continuation) async -> State {
        defer { steps.finish() }
        do {
            return .finished(try await location.check { index, count in if index == nil { steps.yield(count) } })
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed(Failure(error).message)
        }
    }
}
