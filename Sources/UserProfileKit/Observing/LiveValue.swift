import DataStoreCore
public import Observation
public import UserProfileDomain

/// A model of a screen that follows saved data: its ``value`` is always the newest one, whichever process changes it.
///
/// ```swift
/// let count = LiveValue(0, storage.updates { try $0.repository(of: Trip.self).count() })
/// Text("\(count.value) trips")
/// ```
///
/// Use ``LiveQuery`` for the entities of a query, ``LiveEntity`` for one entity, ``LiveSetting`` for one setting, and
/// this type itself for any other value, e.g. a sum or a report over several types.
///
/// The model reads on the global executor, never on the main actor. It observes the store until it is released. If the
/// store changes faster than the main actor can follow, the model skips intermediate values.
@Observable @MainActor
public class LiveValue<Value: Sendable> {
    /// The newest value. Until the first read, it is the initial one. After a failed read, it is the last one.
    public private(set) var value: Value

    /// Whether ``value`` is current.
    public private(set) var phase = LivePhase.loading

    @ObservationIgnored private var updates: Updates<Value>
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Creates a model that starts to read at once.
    ///
    /// - Parameters:
    ///   - initial: The value until the first read.
    ///   - updates: The sequence of values to follow.
    public init(_ initial: Value, _ updates: Updates<Value>) {
        value = initial
        self.updates = updates
        restart()
    }

    deinit { task?.cancel() }

    /// Reads the value again, e.g. when the user taps "Retry". Until then, ``phase`` is ``LivePhase/loading``.
    public func restart() { follow(updates) }

    /// Follows another sequence from now on. A result of the previous sequence that is under way is ignored.
    func follow(_ updates: Updates<Value>) {
        self.updates = updates
        phase = .loading
        task?.cancel()
        task = updates.follow { [weak self] in self?.receive($0) }
    }

    private func receive(_ result: Result<Value, RepositoryError>) {
        if case .success(let value) = result { self.value = value }
        phase = LivePhase(result)
    }
}

/// Whether the value of a live model is current.
///
/// ```swift
/// if let error = trips.phase.error { Text("\(error)") }
/// if case .loading = trips.phase { ProgressView() }
/// ```
public enum LivePhase: Sendable {
    /// The model reads its first value, or its first value after it was restarted or its query was changed.
    case loading
    /// The value is the newest one.
    case current
    /// The last read failed, so the value may be out of date. The model reads again when the store changes, and also
    /// each second if `isRetrying` is `true`, because the cause may pass by itself.
    case failed(RepositoryError, isRetrying: Bool)

    init(_ result: Result<some Any, RepositoryError>) {
        switch result {
        case .success: self = .current
        case .failure(let error): self = .failed(error, isRetrying: error.isTransient)
        }
    }

    /// The error of the last read, or `nil` if it did not fail.
    public var error: RepositoryError? { if case .failed(let error, _) = self { error } else { nil } }
}

extension RepositoryError {
    /// Whether the cause may pass without a change to the store, so that an observer reads again each second.
    fileprivate var isTransient: Bool { (underlying as? DataStoreError)?.isTransient ?? false }
}

extension Updates {
    /// Passes each result to a closure on the main actor, until the returned task is cancelled. It reads on the global
    /// executor, and reads the next result only after the closure has returned.
    func follow(
        _ receive: @escaping @MainActor @Sendable (Result<Element, RepositoryError>) -> Void
    ) -> Task<Void, Never> {
        Task { @concurrent in
            var iterator = makeAsyncIterator()
            var (isOver, isEmpty) = (false, true)
            while !isOver {
                let result: Result<Element, RepositoryError>
                do throws(RepositoryError) {
                    if let element = try await iterator.next(isolation: nil) {
                        result = .success(element)
                    } else {
                        isOver = true
                        guard isEmpty else { return }
                        result = .failure(
                            RepositoryError(
                                .programmingError, message: "could not read a live value: the store is closed"))
                    }
                } catch {
                    result = .failure(error)
                }
                isEmpty = false
                // A cancelled task must not deliver: its model may already follow another sequence.
                await MainActor.run { if !Task.isCancelled { receive(result) } }
            }
        }
    }
}
