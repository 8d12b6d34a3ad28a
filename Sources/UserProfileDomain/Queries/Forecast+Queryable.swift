extension Forecast: Queryable {
    /// The fields of a daily ``Forecast`` by which queries can filter weather.
    public struct Fields: Sendable {
        /// The day to which the forecast applies.
        public let date = EntityField<Forecast, CalendarDate>("date")
        /// The day relative to the publication, in the words of the service, e.g. `明日`.
        public let dateLabel = EntityField<Forecast, String>("dateLabel")
        /// The weather in the words of the service, e.g. `晴時々曇`.
        public let telop = EntityField<Forecast, String>("telop")
        /// The lowest temperature of the day.
        public let lowest = EntityField<Forecast, Temperature>("lowest")
        /// The highest temperature of the day.
        public let highest = EntityField<Forecast, Temperature>("highest")
    }

    /// The queryable fields of a daily forecast.
    public static let fields = Fields()
}
