import Foundation
public import UserProfileDomain

extension Instant {
    /// The present, by the system's clock. The domain never asks for it: it is handed in.
    public static var now: Instant {
        let interval = Date().timeIntervalSince1970
        let seconds = interval.rounded(.down)
        return Instant(seconds: Int64(seconds), nanoseconds: UInt32((interval - seconds) * 1e9))
    }
}
