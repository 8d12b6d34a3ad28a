import DataStoreCore
import GregorianCalendar

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
        let (days, second) = seconds.flooredDivision(by: secondsPerDay)
        let (year, month, dayOfMonth) = gregorianDate(daysSince1970: days)
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
        let days = daysSince1970(year: numbers[0], month: numbers[1], day: numbers[2])
        guard gregorianDate(daysSince1970: days) == (numbers[0], numbers[1], numbers[2]) else { return nil }
        let seconds = days * secondsPerDay + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
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
}
