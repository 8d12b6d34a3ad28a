import ForecastAPI
public import UserProfileDomain

extension Instant {
    /// The present, by the system's clock. The domain never asks for it: it is handed in.
    public static var now: Instant { .system }
}
