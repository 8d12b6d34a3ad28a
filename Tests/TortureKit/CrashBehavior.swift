/// Whether the program of a crash test keeps its promises. The cases of violations test the crash test itself.
package enum CrashBehavior: String, Sendable {
    /// Acknowledges a step after the save has returned.
    case honest
    /// Acknowledges a step before the save.
    case hasty
    /// Writes each change in its own transaction, before the combined one.
    case torn
}
