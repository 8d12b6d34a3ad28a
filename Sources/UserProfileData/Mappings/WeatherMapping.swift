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

/// The field names and the coding of a daily forecast. A forecast is stored as a nested record in the record of a
/// city's weather.
private enum ForecastFields {
    static let date = "date"
    private static let dateLabel = "dateLabel"
    private static let telop = "telop"
    private static let lowest = "lowest"
    private static let highest = "highest"
    private static let imageURL = "imageURL"

    /// The translations of a daily forecast's fields for queries, by their names in `Forecast`.
    static let queryFields: [String: FieldMapping] = [
        Forecast.fields.date.name: FieldMapping(QueryField(date)),
        Forecast.fields.dateLabel.name: FieldMapping(QueryField(dateLabel)),
        Forecast.fields.telop.name: FieldMapping(QueryField(telop)),
        Forecast.fields.lowest.name: FieldMapping(QueryField(lowest)),
        Forecast.fields.highest.name: FieldMapping(QueryField(highest)),
    ]

    static func record(of forecast: Forecast) -> Record {
        var record: Record = [
            date: .string(forecast.date.text),
            dateLabel: .string(forecast.dateLabel),
            telop: .string(forecast.telop),
        ]
        record[lowest] = forecast.lowest.map { .real($0.celsius) }
        record[highest] = forecast.highest.map { .real($0.celsius) }
        record[imageURL] = forecast.imageURL.map { .string($0) }
        return record
    }

    static func forecast(of record: borrowing RecordView) throws -> Forecast {
        Forecast(
            date: try record.required(date, converting: { (text: String) in try CalendarDate(text) }),
            dateLabel: try record.required(dateLabel),
            telop: try record.required(telop),
            lowest: try record.optional(lowest, converting: temperature),
            highest: try record.optional(highest, converting: temperature),
            imageURL: try record.optional(imageURL))
    }

    private static func temperature(celsius: Double) throws -> Temperature { try Temperature(celsius: celsius) }
}

/// The field names and the coding of the version of a fetched document. The version is stored as a nested record in the
/// record of a city's weather.
private enum VersionFields {
    private static let address = "address"
    private static let entityTag = "entityTag"
    private static let lastModified = "lastModified"

    static func record(of version: FetchedVersion) -> Record {
        var record: Record = [address: .string(version.address)]
        record[entityTag] = version.entityTag.map { .string($0) }
        record[lastModified] = version.lastModified.map { .string($0) }
        return record
    }

    static func version(of record: borrowing RecordView) throws -> FetchedVersion {
        let version = FetchedVersion(
            address: try record.required(address),
            entityTag: try record.optional(entityTag),
            lastModified: try record.optional(lastModified))
        guard let version else { throw FieldError(entityTag, "is missing, and lastModified, too") }
        return version
    }
}
