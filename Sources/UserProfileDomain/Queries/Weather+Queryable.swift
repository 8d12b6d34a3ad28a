extension Weather: Queryable {
    /// The fields of a city's weather that queries can use.
    public struct Fields: Sendable {
        /// The code of the city.
        public let id = EntityField<Weather, CityCode>("id")
        /// The title.
        public let title = EntityField<Weather, String>("title")
        /// The time of publication.
        public let publishedAt = EntityField<Weather, Instant>("publishedAt")
        /// The general weather situation in words.
        public let description = EntityField<Weather, String>("description")
        /// The daily forecasts.
        public let forecasts = EntityParts<Weather, Forecast>("forecasts")
    }

    /// The fields of a city's weather that queries can use.
    public static let fields = Fields()
}
