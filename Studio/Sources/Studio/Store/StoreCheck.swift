import UserProfileKit

/// A check of the whole store in the background: its progress, and its last result.
actor StoreCheck {
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
    private var task: Task<Void, Never>?
    private var observers = Observers()

    private(set) var state = State.idle

    init(_ location: StorageLocation) { self.location = location }

    /// Starts a check, unless one is running.
    func start() {
        guard task == nil else { return }
        show(.running(recordCount: 0))
        task = Task { [location] in
            let (steps, feed) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            async let reported: Void = report(steps)
            let result: State
            do {
                result = .finished(try await location.check { feed.yield($0) })
            } catch is CancellationError {
                result = .cancelled
            } catch {
                result = .failed(Failure(error).message)
            }
            feed.finish()
            await reported
            finish(result)
        }
    }

    /// Cancels the running check.
    func cancel() { task?.cancel() }

    /// Calls a closure at the start and after each change of the state, until the task is cancelled.
    func observe(_ changed: @Sendable () -> Void) async {
        let (number, changes) = observers.add()
        for await _ in changes { changed() }
        observers.remove(number)
    }

    private func report(_ steps: AsyncStream<Int>) async {
        for await count in steps { show(.running(recordCount: count)) }
    }

    private func finish(_ result: State) {
        task = nil
        show(result)
    }

    private func show(_ newState: State) {
        state = newState
        observers.notify()
    }
}
