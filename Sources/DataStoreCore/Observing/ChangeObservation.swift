/// An observation of a store. It ends when the last reference is released.
public final class ChangeObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation. Only stores create them.
    ///
    /// - Parameter end: Ends the observation. It is called once, on any thread, and must not block.
    public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
