/// Whether the program of a crash test does what it says. The others are there to test the test.
package enum CrashHonesty: String, Sendable {
    /// Says that a step is done when the save has returned.
    case honest
    /// Says so before it.
    case hasty
    /// Makes a transaction of each change, before the one that they should be.
    case torn
}
