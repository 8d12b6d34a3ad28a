import Logging

extension Logger {
    /// A closure that logs an event of a store, given as one sentence.
    var storeReport: @Sendable (_ event: String) -> Void { { event in notice("\(event)") } }
}
