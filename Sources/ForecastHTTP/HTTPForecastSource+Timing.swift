import ForecastAPI
package import UserProfileDomain

extension HTTPForecastSource {
    /// The clock, the delays and the random numbers of a source. Tests replace them.
    package struct Timing: Sendable {
        let now: @Sendable () -> Instant
        let sleep: @Sendable (Duration) async throws -> Void
        let random: @Sendable () -> Double

        /// Creates an instance from three closures.
        ///
        /// - Parameters:
        ///   - now: A closure that returns the current time.
        ///   - sleep: A closure that waits for a duration.
        ///   - random: A closure that returns a number from 0 to 1.
        package init(
            now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Duration) async throws -> Void,
            random: @escaping @Sendable () -> Double
        ) {
            self.now = now
            self.sleep = sleep
            self.random = random
        }

        /// The timing with the system's clock and random number generator.
        package static let system = Timing(
            now: { .system }, sleep: { try await Task.sleep(for: $0) }, random: { .random(in: 0...1) })
    }
}
