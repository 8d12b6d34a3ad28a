/// A running observation of a store, which ``DataStore/observe(_:_:)`` returns. It ends when its last reference is
/// released.
public final class ChangeObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation. Call it only in an implementation of ``DataStore``.
    ///
    /// - Parameter end: A closure that ends the observation. It is called once, on any thread, and must not block.
    public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
