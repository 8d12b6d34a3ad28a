extension Forecast: Queryable {
    /// What can be asked about a day of a forecast.
    public struct Fields: Sendable {
        /// The day.
        public let date = EntityField<Forecast, CalendarDate>("date")
        /// What the day is called.
        public let dateLabel = EntityField<Forecast, String>("dateLabel")
        /// The weather in words.
        public let telop = EntityField<Forecast, String>("telop")
        /// The lowest temperature.
        public let lowest = EntityField<Forecast, Temperature>("lowest")
        /// The highest temperature.
        public let highest = EntityField<Forecast, Temperature>("highest")
    }

    /// What can be asked about a day of a forecast.
    public static let fields = Fields()
}
