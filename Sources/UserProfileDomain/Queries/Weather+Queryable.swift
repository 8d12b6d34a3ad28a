extension Weather: Queryable {
    /// What can be asked about the weather of cities.
    public struct Fields: Sendable {
        /// The code of the city.
        public let id = EntityField<Weather, CityCode>("id")
        /// The title.
        public let title = EntityField<Weather, String>("title")
        /// When it was published.
        public let publishedAt = EntityField<Weather, Instant>("publishedAt")
        /// The general situation in words.
        public let description = EntityField<Weather, String>("description")
        /// The days.
        public let forecasts = EntityParts<Weather, Forecast>("forecasts")
    }

    /// What can be asked about the weather of cities.
    public static let fields = Fields()
}
