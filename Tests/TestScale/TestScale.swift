import Foundation

/// The length of randomized tests and of tests that kill processes: short in `make test`, full in `make torture`.
package enum TestScale {
    /// Whether tests run at full length; `make torture` sets `USERPROFILE_FULL_TESTS=1`.
    package static let isFull = ProcessInfo.processInfo.environment["USERPROFILE_FULL_TESTS"] == "1"

    /// Returns the number of rounds, records or kills of a test.
    package static func count(_ short: Int, full: Int) -> Int { isFull ? full : short }

    /// Returns a number from an environment variable, or `nil` if it is not set to a number.
    package static func number<Number: FixedWidthInteger>(_ variable: String) -> Number? {
        ProcessInfo.processInfo.environment[variable].flatMap { Number($0) }
    }
}
