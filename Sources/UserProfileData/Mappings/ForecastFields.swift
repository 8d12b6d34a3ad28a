import DataStoreCore
import UserProfileDomain

/// One day of a forecast as a record within the record of a city.
enum ForecastFields {
    private static let date = "date"
    private static let dateLabel = "dateLabel"
    private static let telop = "telop"
    private static let lowest = "lowest"
    private static let highest = "highest"
    private static let imageURL = "imageURL"

    static func record(of forecast: Forecast) -> Record {
        var record: Record = [
            date: .string(forecast.date.description),
            dateLabel: .string(forecast.dateLabel),
            telop: .string(forecast.telop),
        ]
        record[lowest] = forecast.lowest.map { .real($0.celsius) }
        record[highest] = forecast.highest.map { .real($0.celsius) }
        record[imageURL] = forecast.imageURL.map { .string($0) }
        return record
    }

    static func forecast(of record: Record) throws -> Forecast {
        Forecast(
            date: try CalendarDate(try record.required(date, \.string)),
            dateLabel: try record.required(dateLabel, \.string),
            telop: try record.required(telop, \.string),
            lowest: try temperature(lowest, in: record),
            highest: try temperature(highest, in: record),
            imageURL: try record.optional(imageURL, \.string))
    }

    private static func temperature(_ name: String, in record: Record) throws -> Temperature? {
        try record.optional(name, \.real).map { celsius throws(ValidationError) in try Temperature(celsius: celsius) }
    }
}
