import DataStoreCore

/// The encoding of dates in property lists: as text in XML files, and as seconds since 2001 in binary files.
enum DateCoding {
    /// The range of seconds since 1970 that an XML property list can represent: the years 0001 to 9999.
    static let plainSeconds: Range<Int64> = -62_135_596_800..<253_402_300_800

    /// The seconds from 1970 to 2001, the epoch of binary property lists.
    static let epoch = 978_307_200.0

    private static let secondsPerDay: Int64 = 86_400

    /// Returns the date text for seconds since 1970, e.g. `1970-01-01T00:00:00Z`. Outside ``plainSeconds`` the text is
    /// meaningless, but the function does not trap.
    static func text(of seconds: Int64) -> String {
        // The floored division cannot overflow.
        let remainder = seconds % secondsPerDay
        let second = remainder < 0 ? remainder + secondsPerDay : remainder
        let day = seconds / secondsPerDay - (remainder < 0 ? 1 : 0)
        let (year, month, dayOfMonth) = date(of: day)
        var text = Array("0000-00-00T00:00:00Z".utf8)
        let (hour, minute) = (second / 3600, second / 60 % 60)
        let parts = [(year, 3), (month, 6), (dayOfMonth, 9), (hour, 12), (minute, 15), (second % 60, 18)]
        for (number, end) in parts {
            var (number, index) = (number.magnitude, end)
            while number > 0, index >= 0, text[index] == UInt8(ascii: "0") {
                text[index] += UInt8(number % 10)
                (number, index) = (number / 10, index - 1)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses a date text such as `1970-01-01T00:00:00Z` as seconds since 1970. Returns `nil` if the text is not a
    /// valid date.
    ///
    /// Years may lack leading zeros, because libplist omits them.
    static func seconds(of text: String) -> Int64? {
        let bytes = Array(repeating: UInt8(ascii: "0"), count: max(0, 20 - text.utf8.count)) + Array(text.utf8)
        guard (17...20).contains(text.utf8.count), bytes.count == 20 else { return nil }
        var numbers: [Int64] = []
        var number: Int64 = 0
        for (byte, form) in zip(bytes, "0000-00-00T00:00:00Z".utf8) {
            if form == UInt8(ascii: "0") {
                guard (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int64(byte - 0x30)
            } else {
                guard byte == form else { return nil }
                numbers.append(number)
                number = 0
            }
        }
        guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else { return nil }
        let day = day(of: numbers[0], numbers[1], numbers[2])
        guard date(of: day) == (numbers[0], numbers[1], numbers[2]) else { return nil }
        let seconds = day * secondsPerDay + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        return plainSeconds.contains(seconds) ? seconds : nil
    }

    /// Returns the date at a number of seconds since the start of 2001, rounded to nanoseconds. Returns `nil` if the
    /// seconds exceed `Int64`.
    static func timestamp(of interval: Double) -> Timestamp? {
        let whole = interval.rounded(.down)
        guard let seconds = Int64(exactly: whole) else { return nil }
        let nanoseconds = UInt32(min(((interval - whole) * 1e9).rounded(), 999_999_999))
        let (sum, isTooLarge) = seconds.addingReportingOverflow(Int64(epoch))
        return isTooLarge ? nil : Timestamp(seconds: sum, nanoseconds: nanoseconds)
    }

    // The functions below convert between days since 1970 and dates of the proleptic Gregorian calendar (Hinnant,
    // "chrono-compatible low-level date algorithms"). Here a year begins in March, so that the leap day is its last
    // day.

    private static func date(of day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isAfterDecember = month >= 10
        return (
            yearOfEra + era * 400 + (isAfterDecember ? 1 : 0), isAfterDecember ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func day(of year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
