import Testing
import UserProfileDomain

@Suite struct InstantDurationTests {
    @Test(
        "Adding a duration to an instant and measuring it give the same duration",
        arguments: [
            (Instant(seconds: 10), Duration.seconds(5), Instant(seconds: 15)),
            (
                Instant(seconds: 0, nanoseconds: 900_000_000), .milliseconds(200),
                Instant(seconds: 1, nanoseconds: 100_000_000)
            ),
            (Instant(seconds: 1), .milliseconds(-1), Instant(seconds: 0, nanoseconds: 999_000_000)),
            (Instant(seconds: -5), .seconds(-1), Instant(seconds: -6)),
        ])
    func arithmetic(_ start: Instant, _ duration: Duration, _ end: Instant) {
        #expect(start.advanced(by: duration) == end)
        #expect(end.duration(since: start) == duration)
        #expect(start.duration(since: end) == .zero - duration)
    }

    @Test("Arithmetic ends at the limits of an instant")
    func overflow() {
        #expect(Instant(seconds: .max).advanced(by: .seconds(1)) == Instant(seconds: .max))
        #expect(Instant(seconds: .min).advanced(by: .seconds(-1)) == Instant(seconds: .min))
        #expect(Instant(seconds: 1).advanced(by: .seconds(Int64.max)) == Instant(seconds: .max))
    }

    @Test("The duration between any two instants has components and a description")
    func longDurations() {
        let limits = [
            Instant(seconds: .min), Instant(seconds: .min, nanoseconds: 999_999_999), Instant(seconds: -1),
            Instant(seconds: 0, nanoseconds: 1), Instant(seconds: .max),
            Instant(seconds: .max, nanoseconds: 999_999_999),
        ]
        for start in limits {
            for end in limits {
                let duration = end.duration(since: start)
                #expect((duration.components.seconds > 0) == (duration >= .seconds(1)))
                #expect((duration > .zero) == (end > start))
                #expect(!duration.ageDescription.isEmpty)
            }
        }
        #expect(Instant(seconds: 0).duration(since: Instant(seconds: .min)).ageDescription == "106751991167300 days")
    }

    @Test("Coordinates outside the ranges of latitude and longitude are rejected")
    func coordinates() throws {
        #expect(try Coordinates(latitude: -90, longitude: 180).description == "-90.0, 180.0")
        for (latitude, longitude) in [(90.1, 0), (0, -180.5), (.nan, 0), (0, .infinity)] as [(Double, Double)] {
            #expect(throws: ValidationError.self) { try Coordinates(latitude: latitude, longitude: longitude) }
        }
    }
}
