/// An error of a weather service or of the connection to it, e.g. a status other than success.
package protocol FetchFailure: Error {
    /// The error that caused this one, or `nil` if there is no other cause.
    var underlying: (any Error)? { get }
}
