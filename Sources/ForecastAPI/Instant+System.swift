package import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Instant {
    /// The current time of the system's clock.
    package static var system: Instant {
        let interval = Date().timeIntervalSince1970
        let seconds = interval.rounded(.down)
        return Instant(seconds: Int64(seconds), nanoseconds: UInt32((interval - seconds) * 1e9))
    }
}
