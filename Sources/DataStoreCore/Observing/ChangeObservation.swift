/// Somebody observes a store as long as this is held.
public final class ChangeObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Stands for an observation. Only stores make them.
    ///
    /// - Parameter end: ends the observation. It is called once, on any thread, and must not wait for anything.
    public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
