import DataStoreSystem

// A property list contains dates as text in XML files, and as seconds since 2001 in binary files.
extension Timestamp {
    /// The range of seconds since 1970 that an XML property list can represent: the years 0001 to 9999.
    static let plainSeconds: Range<Int64> = -62_135_596_800..<253_402_300_800

    /// The seconds from 1970 to 2001, the epoch of binary property lists.
    private static let epoch = 978_307_200.0

    /// The whole seconds as text, e.g. `1970-01-01T00:00:00Z`. Outside ``plainSeconds`` the text is meaningless, but
    /// the property does not trap.
    var xmlText: String {
        var (time, date) = (time_t(seconds), unsafe tm())
        // The call fills the structure before it returns, or leaves it empty.
        unsafe gmtime_r(&time, &date)
        func digits(_ number: Int32, _ count: Int = 2) -> String {
            let text = String(number.magnitude)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let day = unsafe "\(digits(date.tm_year &+ 1900, 4))-\(digits(date.tm_mon &+ 1))-\(digits(date.tm_mday))"
        return unsafe "\(day)T\(digits(date.tm_hour)):\(digits(date.tm_min)):\(digits(date.tm_sec))Z"
    }

    /// Parses a text such as `1970-01-01T00:00:00Z`. Returns `nil` if the text is not a valid date.
    ///
    /// Years may lack leading zeros, because libplist omits them.
    init?(xmlText text: String) {
        let padded = String(repeating: "0", count: max(0, 20 - text.utf8.count)) + text
        let parts = padded.utf8.split { !(0x30...0x39).contains($0) }.compactMap { Int32(Substring($0)) }
        guard parts.count == 6 else { return nil }
        var date = unsafe tm()
        unsafe (date.tm_year, date.tm_mon, date.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
        unsafe (date.tm_hour, date.tm_min, date.tm_sec) = (parts[3], parts[4], parts[5])
        self.init(seconds: Int64(unsafe timegm(&date)))
        // The call changes a date that does not exist, e.g. 30 February, to one that does. The text then differs, as it
        // does if it has other separators.
        guard Self.plainSeconds.contains(seconds), xmlText == padded else { return nil }
    }

    /// The whole seconds since the start of 2001.
    var secondsSince2001: Double { Double(seconds) - Self.epoch }

    /// Creates the date at a number of seconds since the start of 2001, rounded to nanoseconds. Returns `nil` if the
    /// seconds exceed `Int64`.
    init?(secondsSince2001 interval: Double) {
        let whole = interval.rounded(.down)
        guard let seconds = Int64(exactly: whole) else { return nil }
        let nanoseconds = UInt32(min(((interval - whole) * 1e9).rounded(), 999_999_999))
        let (sum, isTooLarge) = seconds.addingReportingOverflow(Int64(Self.epoch))
        guard !isTooLarge else { return nil }
        self.init(seconds: sum, nanoseconds: nanoseconds)
    }
}
