import DataStoreCore
import DataStoreSystem

/// The encoding of dates in property lists: as text in XML files, and as seconds since 2001 in binary files.
enum DateCoding {
    /// The range of seconds since 1970 that an XML property list can represent: the years 0001 to 9999.
    static let plainSeconds: Range<Int64> = -62_135_596_800..<253_402_300_800

    /// The seconds from 1970 to 2001, the epoch of binary property lists.
    static let epoch = 978_307_200.0

    /// Returns the date text for seconds since 1970, e.g. `1970-01-01T00:00:00Z`. Outside ``plainSeconds`` the text is
    /// meaningless, but the function does not trap.
    static func text(of seconds: Int64) -> String {
        var (time, date) = (time_t(seconds), unsafe tm())
        // The call fills the structure before it returns, or leaves it empty.
        unsafe gmtime_r(&time, &date)
        var text = Array("0000-00-00T00:00:00Z".utf8)
        let parts = unsafe [
            (date.tm_year &+ 1900, 3), (date.tm_mon &+ 1, 6), (date.tm_mday, 9), (date.tm_hour, 12), (date.tm_min, 15),
            (date.tm_sec, 18),
        ]
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
        var numbers: [Int32] = []
        var number: Int32 = 0
        for (byte, form) in zip(bytes, "0000-00-00T00:00:00Z".utf8) {
            if form == UInt8(ascii: "0") {
                guard (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int32(byte - 0x30)
            } else {
                guard byte == form else { return nil }
                numbers.append(number)
                number = 0
            }
        }
        var date = unsafe tm()
        unsafe (date.tm_year, date.tm_mon, date.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        unsafe (date.tm_hour, date.tm_min, date.tm_sec) = (numbers[3], numbers[4], numbers[5])
        // The call changes a date that does not exist, e.g. 30 February, to one that does.
        let seconds = Int64(unsafe timegm(&date))
        let found = unsafe [
            date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec,
        ]
        return found == numbers && plainSeconds.contains(seconds) ? seconds : nil
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
