#if Networking
public import UserProfileDomain

extension HTTPForecastSource {
    /// How a service is asked.
    public struct Options: Sendable {
        /// What the program calls itself.
        public var userAgent = "UserProfile/0.1.0"

        /// How long nothing may come.
        public var idleTimeout: Duration = .seconds(10)

        /// How long the whole answer may take.
        public var timeout: Duration = .seconds(30)

        /// The most bytes of an answer, unpacked. Bytes beyond are not kept.
        public var maximumByteCount = 1 << 20

        /// How often a call is made again that failed with what may pass: status 429 and 502 to 504, a connection that was
        /// closed or reset.
        public var retryCount = 2

        /// How long to wait before the first time again; twice as long before each further one. From half of it to all of
        /// it, by chance, so that many do not come again at once.
        public var retryDelay: Duration = .milliseconds(500)

        /// The longest to wait before a call is made again; where the service asks for more, it is not.
        public var longestRetryDelay: Duration = .seconds(30)

        /// The least time between the starts of two calls.
        public var spacing: Duration = .milliseconds(100)

        /// What suits most services.
        public init() {}
    }

    /// Time and chance, as a source takes them.
    public struct Timing: Sendable {
        let now: @Sendable () -> Instant
        let sleep: @Sendable (Duration) async throws -> Void
        let random: @Sendable () -> Double

        /// Takes time and chance.
        ///
        /// - Parameters:
        ///   - now: the present.
        ///   - sleep: waits so long.
        ///   - random: a number from 0 to 1.
        public init(
            now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Duration) async throws -> Void,
            random: @escaping @Sendable () -> Double
        ) {
            self.now = now
            self.sleep = sleep
            self.random = random
        }
    }
}
#endif
