/// A failure of a weather service or of the connection to it, e.g. a status other than success.
package protocol FetchFailure: Error {
    /// The error that caused this one, or `nil`.
    var underlying: (any Error)? { get }
}
