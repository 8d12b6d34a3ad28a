import Glibc
import UserProfileDomain

/// A second, slow reader of dates and times: patterns of digits, and the calendar of the C library.
enum DateReference {
    /// Returns year, month and day, if the date exists.
    static func date(_ text: String) -> [Int]? {
        guard matches(text, "0000-00-00"), let year = number(text, 0, 4), let month = number(text, 5, 2),
            let day = number(text, 8, 2), year > 0, let seconds = seconds(year, month, day)
        else { return nil }
        // The C library counts the 30th of February as a day of March.
        return date(ofSecond: seconds) == [year, month, day] ? [year, month, day] : nil
    }

    /// Returns the seconds since 1970 and the nanoseconds.
    static func instant(_ text: String) -> [Int64]? {
        let upper = text.uppercased()
        var rest = String(upper.dropFirst(19))
        guard text.utf8.allSatisfy({ $0 < 0x80 }), matches(String(upper.prefix(19)), "0000-00-00T00:00:00"),
            let date = date(String(upper.prefix(10))), let midnight = seconds(date[0], date[1], date[2]),
            let hour = number(upper, 11, 2), let minute = number(upper, 14, 2), let second = number(upper, 17, 2),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction = ""
        if rest.first == "." {
            fraction = String(rest.dropFirst().prefix { $0.isNumber })
            rest = String(rest.dropFirst(1 + fraction.count))
            guard (1...9).contains(fraction.count) else { return nil }
        }
        guard let offset = offset(rest) else { return nil }
        let seconds = midnight + Int64(hour * 3600 + minute * 60 + second - offset)
        guard second < 60 || seconds % 86_400 == 0 else { return nil }
        return [seconds, Int64(fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0]
    }

    /// Returns the seconds of an age.
    static func age(_ text: String) -> Int64? {
        guard let last = text.last else { return nil }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let digits = units[last] == nil ? text : String(text.dropLast())
        guard (1...9).contains(digits.count), matches(digits, String(repeating: "0", count: digits.count)) else {
            return nil
        }
        return Int64(digits).map { $0 * (units[last] ?? 1) }
    }

    private static func offset(_ text: String) -> Int? {
        if text == "Z" { return 0 }
        let digits = text.replacing(":", with: "")
        let isOffset = ["+00:00", "-00:00", "+0000", "-0000"].contains { matches(text, $0) }
        guard isOffset, let hours = number(digits, 1, 2), let minutes = number(digits, 3, 2), hours < 24, minutes < 60
        else { return nil }
        return (text.first == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Returns whether a text has a digit for each zero of a pattern, and otherwise its characters.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        text.utf8.count == pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy { byte, expected in
                expected == UInt8(ascii: "0") ? (48...57).contains(byte) : byte == expected
            }
    }

    private static func number(_ text: String, _ start: Int, _ count: Int) -> Int? {
        Int(text.dropFirst(start).prefix(count))
    }

    /// Returns year, month and day in UTC, if the year is 1 to 9999.
    static func date(ofSecond second: Int64) -> [Int]? {
        var time = time_t(second)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&time, &parts) != nil else { return nil }
        let year = unsafe Int(parts.tm_year) + 1900
        return (1...9999).contains(year) ? unsafe [year, Int(parts.tm_mon) + 1, Int(parts.tm_mday)] : nil
    }

    /// Returns the number of days since 1970-01-01.
    static func daysSince1970(_ date: CalendarDate) -> Int? {
        seconds(date.year, date.month, date.day).map { Int($0 / 86_400) }
    }

    private static func seconds(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        return Int64(unsafe timegm(&parts))
    }
}
