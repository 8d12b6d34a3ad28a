package import DataStoreCore
package import DataStoreQueries
package import UserProfileDomain

/// A mapping of the weather of cities to records of the collection `weather`. The daily forecasts are an array of
/// nested records.
package struct WeatherMapping: RecordMapping {
    private static let title = "title"
    private static let publishedAt = "publishedAt"
    private static let description = "description"
    private static let forecasts = "forecasts"
    private static let fetchedAt = "fetchedAt"
    private static let version = "version"

    /// The name of the collection, `weather`.
    package let collection = "weather"

    /// The names of the fields in the record of a city's weather.
    package let fieldNames = [title, publishedAt, description, forecasts, fetchedAt, version]

    /// Creates the mapping.
    package init() {}

    /// Returns the text of a city code.
    package func text(of id: CityCode) -> String { id.text }

    /// Creates a city code from the id of a record.
    ///
    /// - Throws: `ValidationError` if the text is not a valid city code.
    package func id(of text: String) throws -> CityCode { try CityCode(text) }

    /// Encodes the weather of a city as a record.
    package func record(of weather: Weather) -> Record {
        var record: Record = [
            WeatherMapping.title: .string(weather.title),
            WeatherMapping.publishedAt: .date(Timestamp(weather.publishedAt)),
            WeatherMapping.forecasts: .array(weather.forecasts.map { .record(ForecastFields.record(of: $0)) }),
        ]
        record[WeatherMapping.description] = weather.description.map { .string($0) }
        record[WeatherMapping.fetchedAt] = (weather.receipt?.fetchedAt).map { .date(Timestamp($0)) }
        record[WeatherMapping.version] = (weather.receipt?.version).map { .record(VersionFields.record(of: $0)) }
        return record
    }

    /// Decodes the weather of a city from a record. Throws a ``FieldError`` if a field is missing or invalid.
    package func entity(of record: borrowing RecordView, id: CityCode) throws -> Weather {
        Weather(
            id: id,
            title: try record.required(WeatherMapping.title),
            publishedAt: try record.required(WeatherMapping.publishedAt),
            description: try record.optional(WeatherMapping.description),
            forecasts: try record.requiredElements(WeatherMapping.forecasts, ForecastFields.forecast),
            receipt: try record.optional(WeatherMapping.fetchedAt).map { fetchedAt in
                FetchReceipt(
                    fetchedAt: fetchedAt,
                    version: try record.optional(WeatherMapping.version, VersionFields.version))
            })
    }

    /// The translations of the fields of a city's weather and its daily forecasts, for queries.
    package var queryFields: [String: FieldMapping] { WeatherMapping.queryFields }

    /// The index on the dates for which a city has a forecast.
    package var indexes: [IndexDefinition] { WeatherMapping.indexes }

    private static let indexes = [IndexDefinition(.elements(of: forecasts).part(ForecastFields.date))]

    private static let queryFields: [String: FieldMapping] = [
        Weather.fields.id.name: FieldMapping(.id),
        Weather.fields.title.name: FieldMapping(QueryField(title)),
        Weather.fields.publishedAt.name: FieldMapping(QueryField(publishedAt)),
        Weather.fields.description.name: FieldMapping(QueryField(description)),
        Weather.fields.forecasts.name: FieldMapping(.elements(of: forecasts), parts: ForecastFields.queryFields),
    ]
}
