import DataStoreTesting
import Testing
import UserProfileDomain

@Suite("An instant")
struct InstantTests {
    @Test(
        "is read from RFC 3339 text",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("1969-12-31T23:59:59.25Z", -1, 250_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
            ("2016-11-28T17:00:00+09:00", 1_480_320_000, 0),
            ("2016-11-28T08:00:00-00:00", 1_480_320_000, 0),
            ("2016-11-28t08:00:00z", 1_480_320_000, 0),
            // The offset has no colon, as in the documents of livedoor.
            ("2016-11-28T17:00:00+0900", 1_480_320_000, 0),
            ("2000-02-29T12:00:00-0330", 951_838_200, 0),
            ("1970-01-01T00:00:00+23:59", -86_340, 0),
            // The examples of RFC 3339, section 5.8.
            ("1985-04-12T23:20:50.52Z", 482_196_050, 520_000_000),
            ("1996-12-19T16:39:57-08:00", 851_042_397, 0),
            ("1990-12-31T23:59:60Z", 662_688_000, 0),
            ("1990-12-31T15:59:60-08:00", 662_688_000, 0),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_173, 870_000_000),
            ("2016-11-28T08:00:00.0Z", 1_480_320_000, 0),
            ("2016-11-28T08:00:00.00000001Z", 1_480_320_000, 10),
            ("2016-11-28T17:00:00.123456789+0900", 1_480_320_000, 123_456_789),
            ("2016-11-28T08:00:00.999999999Z", 1_480_320_000, 999_999_999),
        ] as [(String, Int64, UInt32)])
    func isRead(text: String, seconds: Int64, nanoseconds: UInt32) throws {
        let instant = try Instant(text)
        #expect(instant.seconds == seconds)
        #expect(instant.nanoseconds == nanoseconds)
    }

    @Test(
        "is rejected with the rule and the position",
        arguments: [
            InvalidText("", "year", at: 0),
            InvalidText("2016-11-28", "a T must separate", at: 10),
            InvalidText("2016-11-28 17:00:00Z", "a T must separate", at: 10),
            InvalidText("2016-02-30T17:00:00Z", "29 days", at: 8),
            InvalidText("0000-01-01T00:00:00Z", "0001 to 9999", at: 0),
            InvalidText("2016-11-28T24:00:00Z", "hour", at: 11),
            InvalidText("2016-11-28T7:00:00Z", "hour", at: 12),
            InvalidText("2016-11-28T1700:00Z", "colon must follow the hour", at: 13),
            InvalidText("2016-11-28T17:60:00Z", "minute", at: 14),
            InvalidText("2016-11-28T17:00Z", "colon must follow the minute", at: 16),
            InvalidText("2016-11-28T17:00:61Z", "second", at: 17),
            // The leap second 60 is allowed only as the last second of a UTC day (section 5.7).
            InvalidText("2016-11-28T17:00:60Z", "second", at: 17),
            InvalidText("2016-11-28T17:00:00", "offset from UTC must follow", at: 19),
            InvalidText("2016-11-28T17:00:00.Z", "digits must follow", at: 20),
            InvalidText("2016-11-28T17:00:00,5Z", "offset from UTC must follow", at: 19),
            InvalidText("2016-11-28T17:00:00.1234567890Z", "nine digits", at: 29),
            InvalidText("2016-11-28T17:00:00 Z", "offset from UTC must follow", at: 19),
            InvalidText("2016-11-28T17:00:00JST", "offset from UTC must follow", at: 19),
            InvalidText("2016-11-28T17:00:00+24:00", "00 to 23", at: 20),
            InvalidText("2016-11-28T17:00:00+9:00", "00 to 23", at: 21),
            InvalidText("2016-11-28T17:00:00+09:60", "00 to 59", at: 23),
            InvalidText("2016-11-28T17:00:00+0960", "00 to 59", at: 22),
            InvalidText("2016-11-28T17:00:00+09", "00 to 59", at: 22),
            InvalidText("2016-11-28T17:00:00+09:", "00 to 59", at: 23),
            InvalidText("2016-11-28T17:00:00−09:00", "offset from UTC must follow", at: 19),
            InvalidText("2016-11-28T１7:00:00Z", "hour", at: 11),
            InvalidText("2016-11-28T17:00:00Z ", "nothing may follow", at: 20),
            InvalidText("2016-11-28T17:00:00+09:00Z", "nothing may follow", at: 25),
            InvalidText(" 2016-11-28T17:00:00Z", "year", at: 0),
        ])
    func isRejected(_ text: InvalidText) throws {
        try text.check(.instant) { try Instant($0) }
    }

    @Test(
        "is written in UTC with its fraction, and is parsed from that text",
        arguments: [
            (1_480_320_000, 0, "2016-11-28T08:00:00Z"),
            (0, 500_000_000, "1970-01-01T00:00:00.5Z"),
            (0, 120, "1970-01-01T00:00:00.00000012Z"),
            (0, 1, "1970-01-01T00:00:00.000000001Z"),
            (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
            (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
            (253_402_300_799, 0, "9999-12-31T23:59:59Z"),
        ] as [(Int64, UInt32, String)])
    func roundTrip(seconds: Int64, nanoseconds: UInt32, text: String) throws {
        let instant = Instant(seconds: seconds, nanoseconds: nanoseconds)
        #expect(instant.description == text)
        #expect(try Instant(text) == instant)
    }

    @Test(
        "is written as seconds if the calendar has no such year",
        arguments: [253_402_300_800, .max, .min] as [Int64])
    func isWrittenAsSeconds(seconds: Int64) {
        #expect(Instant(seconds: seconds).description == "@\(seconds)")
    }

    @Test(
        "falls on a date, which depends on the offset from UTC",
        arguments: [
            ("2011-07-31T15:00:00Z", 9 * 3600, "2011-08-01"), ("2011-07-31T14:59:59.9Z", 9 * 3600, "2011-07-31"),
            ("2011-07-31T10:00:00Z", 14 * 3600, "2011-08-01"), ("2011-07-31T09:59:59Z", 14 * 3600, "2011-07-31"),
            ("2011-08-01T11:59:59Z", -12 * 3600, "2011-07-31"), ("2011-08-01T12:00:00Z", -12 * 3600, "2011-08-01"),
            // The last day of the 400-year cycle that starts on 1 March, and its neighbors.
            ("2000-02-28T23:59:59Z", 0, "2000-02-28"), ("2000-02-28T23:59:59Z", 1, "2000-02-29"),
            ("2000-02-29T23:59:59Z", 0, "2000-02-29"), ("2000-02-29T23:59:59Z", 1, "2000-03-01"),
            ("1900-02-28T23:59:59Z", 1, "1900-03-01"), ("2012-02-28T23:59:59Z", 1, "2012-02-29"),
            ("1970-01-01T00:00:00Z", 0, "1970-01-01"),
            ("1970-01-01T00:00:00Z", -1, "1969-12-31"), ("1969-12-31T23:59:59Z", 0, "1969-12-31"),
            ("9999-12-31T23:59:59Z", 0, "9999-12-31"), ("9999-12-31T23:59:59Z", 1, nil),
            ("0001-01-01T00:00:00Z", 0, "0001-01-01"), ("0001-01-01T00:00:00Z", -1, nil),
        ] as [(String, Int, String?)])
    func date(text: String, offset: Int, date: String?) throws {
        #expect(try Instant(text).date(utcOffset: offset)?.description == date)
    }

    @Test("beyond the calendar has no date", arguments: [.min, .max] as [Int64], [-50_400, 0, 50_400])
    func noDate(seconds: Int64, offset: Int) {
        #expect(Instant(seconds: seconds).date(utcOffset: offset) == nil)
    }

    @Test("carries nanoseconds over into seconds")
    func carry() {
        #expect(Instant(seconds: -1, nanoseconds: 2_500_000_000) == Instant(seconds: 1, nanoseconds: 500_000_000))
    }

    @Test("comes before another by seconds, then nanoseconds")
    func order() {
        let instants = [(-2, 9), (-1, 0), (-1, 1), (0, 0), (1, 0)].map { Instant(seconds: $0, nanoseconds: $1) }
        #expect(instants.reversed().sorted() == instants)
    }

    @Test("is the same after writing and reading, in any offset")
    func randomInstants() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            // The instant is at least one day from the ends of the calendar, so that every offset is valid.
            let instant = Instant(
                seconds: .random(in: -62_135_510_400..<253_402_214_400, using: &random),
                nanoseconds: .random(in: 0..<1_000_000_000, using: &random))
            let minutes = Int64.random(in: -1439...1439, using: &random)
            let local = Instant(seconds: instant.seconds + minutes * 60, nanoseconds: instant.nanoseconds)
            let (hour, minute) = abs(minutes).quotientAndRemainder(dividingBy: 60)
            let zone = "\(minutes < 0 ? "-" : "+")\("0\(hour)".suffix(2)):\("0\(minute)".suffix(2))"
            for text in [instant.description, local.description.dropLast() + zone] {
                guard (try? Instant(text)) == instant else {
                    Issue.record("\(text) is not read as \(instant); seed \(seed)")
                    return
                }
            }
        }
    }
}
