import UserProfileDomain

/// A validator for the daily forecasts of a document. It checks the days one by one and remembers their dates.
struct DayChecks {
    private var dates: Set<CalendarDate> = []

    /// Throws an error if the lowest temperature of a day is above the highest, or if an earlier day has the same date.
    ///
    /// - Parameters:
    ///   - day: The forecast to check.
    ///   - datePath: The path of the date in the document.
    ///   - lowestPath: The path of the lowest temperature in the document.
    /// - Throws: `ValidationError` with the path of the invalid member.
    mutating func check(_ day: Forecast, datePath: String, lowestPath: String) throws(ValidationError) {
        guard dates.insert(day.date).inserted else {
            throw ValidationError(
                .weatherDocument, given: day.date.text, rule: "an earlier day has the same date", path: datePath)
        }
        if let lowest = day.lowest, let highest = day.highest, lowest > highest {
            throw ValidationError(
                .weatherDocument, given: "\(lowest)", rule: "it is above the highest temperature, \(highest)",
                path: lowestPath)
        }
    }
}
