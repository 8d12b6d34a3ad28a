import DataStoreCore
import DataStoreQueries
import UserProfileDomain

/// The field names and the coding of a daily forecast. A forecast is stored as a nested record in the record of a
/// city's weather.
enum ForecastFields {
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
