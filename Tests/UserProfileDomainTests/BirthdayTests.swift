import DataStoreTesting
import Testing
import UserProfileDomain

/// Texts that no initializer accepts as a date.
private let noDates = [
    InvalidText("", "year must have four digits", at: 0),
    InvalidText("2011-8-1", "month must have two digits", at: 6),
    InvalidText("2011-08-1", "day must have two digits", at: 9),
    InvalidText("11-08-01", "year must have four digits", at: 2),
    InvalidText("02011-08-01", "hyphen must follow the year", at: 4),
    InvalidText("20110801", "hyphen must follow the year", at: 4),
    InvalidText("2011/08/01", "hyphen must follow the year", at: 4),
    InvalidText("2011-08/01", "hyphen must follow the month", at: 7),
    InvalidText("2011−08−01", "hyphen must follow the year", at: 4),
    InvalidText("２０１１-08-01", "year must have four digits", at: 0),
    InvalidText("2011-0８-01", "month must have two digits", at: 6),
    InvalidText("+011-08-01", "year must have four digits", at: 0),
    InvalidText("-011-08-01", "year must have four digits", at: 0),
    InvalidText(" 2011-08-01", "year must have four digits", at: 0),
    InvalidText("2011-08-01 ", "nothing may follow the day", at: 10),
    InvalidText("2011-08-01\n", "nothing may follow the day", at: 10),
    InvalidText("2011-08-010", "nothing may follow the day", at: 10),
    InvalidText("2011-08-01T00:00:00Z", "nothing may follow the day", at: 10),
    InvalidText("2011-08-0\u{301}1", "day must have two digits", at: 9),
    InvalidText("0000-01-01", "0001 to 9999", at: 0),
    InvalidText("2011-00-01", "01 to 12", at: 5),
    InvalidText("2011-13-01", "01 to 12", at: 5),
    InvalidText("2011-08-00", "31 days", at: 8),
    InvalidText("2011-08-32", "31 days", at: 8),
    InvalidText("2011-04-31", "30 days", at: 8),
    InvalidText("2011-06-31", "30 days", at: 8),
    InvalidText("2011-09-31", "30 days", at: 8),
    InvalidText("2011-11-31", "30 days", at: 8),
    InvalidText("2012-02-30", "29 days", at: 8),
    InvalidText("2011-02-29", "28 days", at: 8),
    InvalidText("1900-02-29", "28 days", at: 8),
    InvalidText("2100-02-29", "28 days", at: 8),
]

@Suite("A calendar date")
struct CalendarDateTests {
    @Test(
        "is the same as text and as a value",
        arguments: [
            ("0001-01-01", 1, 1, 1), ("9999-12-31", 9999, 12, 31), ("2011-08-01", 2011, 8, 1),
            ("0099-10-09", 99, 10, 9),
            ("2012-02-29", 2012, 2, 29), ("2000-02-29", 2000, 2, 29), ("1600-02-29", 1600, 2, 29),
            ("0004-02-29", 4, 2, 29),
            // The days that a country skipped when it changed the calendar exist in the proleptic Gregorian calendar.
            ("1582-10-10", 1582, 10, 10), ("1873-01-01", 1873, 1, 1),
        ])
    func roundTrip(text: String, year: Int, month: Int, day: Int) throws {
        let date = try CalendarDate(text)
        #expect((date.year, date.month, date.day) == (year, month, day))
        #expect(try CalendarDate(year: year, month: month, day: day) == date)
        #expect(date.description == text)
    }

    @Test("is rejected with the rule and the position", arguments: noDates)
    func isRejected(_ text: InvalidText) throws {
        try text.check(.calendarDate) { try CalendarDate($0) }
    }

    @Test(
        "made of parts that are not a day is rejected",
        arguments: [
            (0, 1, 1, "0001 to 9999"), (10_000, 1, 1, "0001 to 9999"), (-1, 1, 1, "0001 to 9999"),
            (2011, 0, 1, "01 to 12"), (2011, 13, 1, "01 to 12"), (2011, 2, 29, "28 days"), (2011, 8, 0, "31 days"),
            (2011, 8, -1, "31 days"), (.max, .max, .max, "0001 to 9999"), (2011, .min, 1, "01 to 12"),
        ])
    func partsAreRejected(year: Int, month: Int, day: Int, fragment: String) throws {
        let text = InvalidText("\(year)-\(month)-\(day)", fragment, at: nil)
        try text.check(.calendarDate) { _ in try CalendarDate(year: year, month: month, day: day) }
    }

    @Test("comes before another by year, then month, then day")
    func order() throws {
        let texts = ["0001-12-31", "2010-12-31", "2011-01-31", "2011-02-01", "2011-02-02"]
        let dates = try texts.map { try CalendarDate($0) }
        #expect(dates.reversed().sorted() == dates)
    }

    @Test("is the day that an independent count from 1 January 0001 results in")
    func randomDays() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            // There are 3,652,059 days from 0001-01-01 to 9999-12-31. The first one is 719,162 days before 1970-01-01.
            let days = Int.random(in: 0..<3_652_059, using: &random)
            let (year, month, day) = countedDate(days)
            let text =
                String("000\(year)".suffix(4)) + "-" + String("0\(month)".suffix(2)) + "-" + String("0\(day)".suffix(2))
            let date = try CalendarDate(text)
            #expect((date.year, date.month, date.day) == (year, month, day), "seed \(seed)")
            #expect(date.description == text, "seed \(seed)")
            #expect(Instant(seconds: Int64(days - 719_162) * 86_400).date() == date, "seed \(seed)")
        }
    }

    /// Returns the date a number of days after 0001-01-01, counted year by year and month by month.
    private func countedDate(_ days: Int) -> (Int, Int, Int) {
        var (rest, year, month) = (days, 1, 1)
        func isLeap(_ year: Int) -> Bool { year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) }
        while case let length = isLeap(year) ? 366 : 365, rest >= length {
            rest -= length
            year += 1
        }
        for length in [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
            if rest < length { break }
            rest -= length
            month += 1
        }
        return (year, month, rest + 1)
    }
}

@Suite("A birthday")
struct BirthdayTests {
    @Test("is the same as text and as a day", arguments: ["2011-08-01", "0001-01-01", "9999-12-31", "2012-02-29"])
    func roundTrip(text: String) throws {
        let birthday = try Birthday(text)
        #expect(birthday == Birthday(try CalendarDate(text)))
        #expect(birthday.description == text)
    }

    @Test("is rejected like a date, but as a birthday", arguments: noDates)
    func isRejected(_ text: InvalidText) throws {
        try text.check(.birthday) { try Birthday($0) }
    }

    @Test("comes before a later one")
    func order() throws {
        #expect(try Birthday("2011-07-31") < Birthday("2011-08-01"))
        #expect(try !(Birthday("2011-08-01") < Birthday("2011-08-01")))
    }

    @Test(
        "returns the age in whole years on a day",
        arguments: [
            ("2011-08-01", "2011-07-31", nil), ("2011-08-01", "2011-08-01", 0), ("2011-08-01", "2012-07-31", 0),
            ("2011-08-01", "2012-08-01", 1), ("2011-08-01", "2026-07-31", 14), ("2011-08-01", "2026-09-01", 15),
            ("2011-12-31", "2012-01-01", 0), ("0001-01-01", "9999-12-31", 9998),
            // In other years, a birthday on 29 February is celebrated on 1 March.
            ("2012-02-29", "2013-02-28", 0), ("2012-02-29", "2013-03-01", 1), ("2012-02-29", "2016-02-28", 3),
            ("2012-02-29", "2016-02-29", 4), ("1896-02-29", "1900-02-28", 3), ("1896-02-29", "1900-03-01", 4),
        ] as [(String, String, Int?)])
    func age(birthday: String, day: String, age: Int?) throws {
        #expect(try Birthday(birthday).age(on: CalendarDate(day)) == age)
    }

    @Test(
        "comes again on or after a day",
        arguments: [
            ("2011-08-01", "2011-07-31", "2011-08-01"), ("2011-08-01", "1999-12-31", "2011-08-01"),
            ("2011-08-01", "2011-08-01", "2011-08-01"), ("2011-08-01", "2011-08-02", "2012-08-01"),
            ("2011-08-01", "2026-08-01", "2026-08-01"), ("2011-08-01", "2026-08-02", "2027-08-01"),
            ("2011-01-01", "2026-12-31", "2027-01-01"),
            // In other years, a birthday on 29 February is celebrated on 1 March.
            ("2012-02-29", "2013-02-28", "2013-03-01"), ("2012-02-29", "2013-03-01", "2013-03-01"),
            ("2012-02-29", "2013-03-02", "2014-03-01"), ("2012-02-29", "2015-03-02", "2016-02-29"),
            ("2012-02-29", "2016-02-29", "2016-02-29"), ("2012-02-29", "2016-03-01", "2017-03-01"),
            ("2096-02-29", "2099-03-02", "2100-03-01"),
            // The calendar ends with the year 9999.
            ("2011-08-01", "9999-08-01", "9999-08-01"), ("2011-08-01", "9999-08-02", nil),
            ("2012-02-29", "9999-03-01", "9999-03-01"), ("2012-02-29", "9999-03-02", nil),
            ("2011-12-31", "9999-12-31", "9999-12-31"), ("9999-12-31", "9999-01-01", "9999-12-31"),
        ] as [(String, String, String?)])
    func next(birthday: String, day: String, next: String?) throws {
        #expect(try Birthday(birthday).next(onOrAfter: CalendarDate(day))?.description == next)
    }
}
