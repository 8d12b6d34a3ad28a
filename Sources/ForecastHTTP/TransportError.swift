/// An error of the connection to a server.
protocol TransportError: Error {
    /// The reason as a clause that ends a sentence.
    var reason: String { get }

    /// Whether an established connection was closed or reset.
    var isLostConnection: Bool { get }
}
