import Foundation
package import UserProfileDomain

extension Instant {
    /// The present, by the system's clock.
    package static var system: Instant {
        let interval = Date().timeIntervalSince1970
        let seconds = interval.rounded(.down)
        return Instant(seconds: Int64(seconds), nanoseconds: UInt32((interval - seconds) * 1e9))
    }
}

#if Networking
extension HTTPForecastSource.Timing {
    /// The system's clock and its chance.
    public static let system = HTTPForecastSource.Timing(
        now: { .system }, sleep: { try await Task.sleep(for: $0) }, random: { .random(in: 0...1) })
}
#endif
