import FuzzSupport
@testable import UserProfileDomain

/// Reads arbitrary text as dates, points in time and ages, and compares the results with those of a second reader and
/// of the C library. The first bytes are also a point in time. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzDates(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe inputBytes(start, count)
    let text = String(decoding: bytes, as: UTF8.self)
    checkDate(text)
    checkMonthDay(text)
    checkInstant(text)
    checkAge(text)
    let number = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let rest = bytes.dropFirst(8).prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    check(Instant(seconds: Int64(bitPattern: number), nanoseconds: rest), utcOffset: Int(truncatingIfNeeded: number))
    // Most numbers are far outside the years 0001 to 9999.
    check(Instant(seconds: Int64(bitPattern: number) >> 26, nanoseconds: rest), utcOffset: Int(rest) % 100_000)
    return 0
}

/// Returns the value of a text, and checks that an error has a rule and is within the text.
private func value<Value>(of text: String, _ parse: (String) throws(ValidationError) -> Value) -> Value? {
    do {
        return try parse(text)
    } catch {
        require(!error.rule.isEmpty, "the error has no rule: \(error)")
        require(error.offset.map { 0...text.utf8.count ~= $0 } ?? true, "the error is nowhere: \(error)")
        return nil
    }
}

private func checkDate(_ text: String) {
    let date = value(of: text, CalendarDate.init)
    let birthday = value(of: text, Birthday.init)
    require(birthday?.date == date, "a birthday is not the same as a date")
    let expected = DateReference.date(text)
    require(numbers(date) == expected, "\(text) is \(String(describing: date)), not \(expected ?? [])")
    guard let date, let birthday else { return }
    require(date.text == text, "a date is written as other text")
    require(date.daysSince1970 == DateReference.daysSince1970(date), "\(date) is another day")
    require(CalendarDate(daysSince1970: date.daysSince1970) == date, "\(date) is counted as another day")
    checkBirthday(birthday)
}

/// Checks the next birthday and the age on days around the birthday of another year.
private func checkBirthday(_ birthday: Birthday) {
    for distance in [-1, 0, 1, 59, 365, 366, 1461, 36_524] {
        guard let day = CalendarDate(daysSince1970: birthday.date.daysSince1970 + distance) else { continue }
        let age = birthday.age(on: day)
        require((age == nil) == (day < birthday.date), "the age on \(day) is \(age ?? -1)")
        guard let next = birthday.next(onOrAfter: day) else {
            require(day.year == 9999, "the next birthday after \(day) is missing")
            continue
        }
        require(next >= day && next >= birthday.date, "the next birthday \(next) is over on \(day)")
        require(next.dayCount(since: max(day, birthday.date)) <= 366, "the next birthday \(next) skips one")
        guard let age, let ageThen = birthday.age(on: next) else { continue }
        require(ageThen == age + (next == day ? 0 : 1), "the age does not change on the birthday \(next)")
    }
}

private func checkMonthDay(_ text: String) {
    let monthDay = value(of: text, MonthDay.init)
    // 2000 is a leap year.
    let expected = DateReference.date("2000-" + text)
    require(monthDay.map { [$0.month, $0.day] } == expected.map { Array($0.dropFirst()) }, "\(text) is another day")
    require(monthDay.map { $0.text == text } ?? true, "a month and day is written as other text")
}

private func checkInstant(_ text: String) {
    let instant = value(of: text, Instant.init)
    let expected = DateReference.instant(text)
    require(
        instant.map { [$0.seconds, Int64($0.nanoseconds)] } == expected,
        "\(text) is \(String(describing: instant)), not \(expected ?? [])")
    if let instant { check(instant, utcOffset: 0) }
}

/// Checks that a point in time is read back from its text, and has the date of the C library.
private func check(_ instant: Instant, utcOffset offset: Int) {
    let text = instant.description
    if text.first != "@" {
        require(value(of: text, Instant.init) == instant, "\(text) is read as another point in time")
    }
    let date = instant.date(utcOffset: offset)
    let (shifted, isBeyond) = instant.seconds.addingReportingOverflow(Int64(offset))
    let expected = isBeyond ? nil : DateReference.date(ofSecond: shifted)
    require(numbers(date) == expected, "\(text) \(offset) has the date \(String(describing: date))")
}

private func numbers(_ date: CalendarDate?) -> [Int]? { date.map { [$0.year, $0.month, $0.day] } }

private func checkAge(_ text: String) {
    let age = value(of: text) { text throws(ValidationError) in try Duration(age: text) }
    require(age == DateReference.age(text).map { .seconds($0) }, "\(text) is the age \(String(describing: age))")
    if let age { require(!age.ageDescription.isEmpty, "an age has no text") }
}
