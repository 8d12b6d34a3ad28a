extension Forecast: Queryable {
    /// The fields of a daily forecast that queries can use.
    public struct Fields: Sendable {
        /// The day.
        public let date = EntityField<Forecast, CalendarDate>("date")
        /// The name of the day relative to the publication.
        public let dateLabel = EntityField<Forecast, String>("dateLabel")
        /// The weather in words.
        public let telop = EntityField<Forecast, String>("telop")
        /// The lowest temperature.
        public let lowest = EntityField<Forecast, Temperature>("lowest")
        /// The highest temperature.
        public let highest = EntityField<Forecast, Temperature>("highest")
    }

    /// The fields of a daily forecast that queries can use.
    public static let fields = Fields()
}
