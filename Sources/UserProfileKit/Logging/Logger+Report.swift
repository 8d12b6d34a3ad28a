import Logging

extension Logger {
    /// A closure that logs an event of a store. Pass it to functions with a parameter `report`.
    var storeReport: @Sendable (_ event: String) -> Void { { event in notice("\(event)") } }
}
