extension Weather: Queryable {
    /// The fields by which queries can filter and sort the weather of cities.
    public struct Fields: Sendable {
        /// The code of the city.
        public let id = EntityField<Weather, CityCode>("id")
        /// The title of the publication, e.g. `東京都 東京 の天気`.
        public let title = EntityField<Weather, String>("title")
        /// The time at which the service published the forecasts.
        public let publishedAt = EntityField<Weather, Instant>("publishedAt")
        /// The general weather situation in words.
        public let description = EntityField<Weather, String>("description")
        /// The daily forecasts. Use them with ``Filter/any(_:_:)``.
        public let forecasts = EntityParts<Weather, Forecast>("forecasts")
    }

    /// The queryable fields of a city's weather.
    public static let fields = Fields()
}
