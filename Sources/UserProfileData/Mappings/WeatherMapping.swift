/// A mapping of the weather of cities to records of the collection `weather`. The daily forecasts are an array of
/// nested records.
package struct WeatherMapping: RecordMapping {
    /// The name of the collection, `weather`.
    package let collection = "weather"

    /// The names of the fields in the record of a city's weather.
    package let fieldNames = ["title", "publishedAt", "description", "forecasts", "fetchedAt", "version"]

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
        Record(contents: [
            "title": weather.title,
            "publishedAt": weather.publishedAt,
            "description": weather.description,
            "forecasts": Value.array(weather.forecasts.map { .record($0.record) }),
            "fetchedAt": weather.receipt?.fetchedAt,
            "version": (weather.receipt?.version).map { Value.record($0.record) },
        ])
    }

    /// Decodes the weather of a city from a record. Throws a ``FieldError`` if a field is missing or invalid.
    package func entity(of record: borrowing RecordView, id: CityCode) throws -> Weather {
        Weather(
            id: id,
            title: try record.required("title"),
            publishedAt: try record.required("publishedAt"),
            description: try record.optional("description"),
            forecasts: try record.requiredElements("forecasts") { try Forecast($0) },
            receipt: try record.optional("fetchedAt").map { fetchedAt in
                FetchReceipt(
                    fetchedAt: fetchedAt, version: try record.optional("version") { try FetchedVersion($0) })
            })
    }

    /// The translations of the fields of a city's weather and its daily forecasts, for queries.
    package var queryFields: [String: FieldMapping] { WeatherMapping.queryFields }

    /// The index on the dates for which a city has a forecast.
    package var indexes: [IndexDefinition] { WeatherMapping.indexes }

    private static let indexes = [IndexDefinition(.elements(of: "forecasts").part("date"))]

    // The record fields have the names of the entity's fields.
    private static let queryFields: [String: FieldMapping] = {
        func stored(_ names: [String]) -> [String: FieldMapping] {
            Dictionary(uniqueKeysWithValues: names.map { ($0, FieldMapping(QueryField($0))) })
        }
        var fields = stored(["title", "publishedAt", "description"])
        fields["id"] = FieldMapping(.id)
        fields["forecasts"] = FieldMapping(
            .elements(of: "forecasts"), parts: stored(["date", "dateLabel", "telop", "lowest", "highest"]))
        return fields
    }()
}

// A daily forecast is a nested record in the record of a city's weather.
extension Forecast {
    fileprivate var record: Record {
        Record(contents: [
            "date": date.text, "dateLabel": dateLabel, "telop": telop, "lowest": lowest?.celsius,
            "highest": highest?.celsius, "imageURL": imageURL,
        ])
    }

    fileprivate init(_ record: borrowing RecordView) throws {
        func temperature(celsius: Double) throws -> Temperature { try Temperature(celsius: celsius) }
        self.init(
            date: try record.required("date", converting: { (text: String) in try CalendarDate(text) }),
            dateLabel: try record.required("dateLabel"),
            telop: try record.required("telop"),
            lowest: try record.optional("lowest", converting: temperature),
            highest: try record.optional("highest", converting: temperature),
            imageURL: try record.optional("imageURL"))
    }
}

// The version of a fetched document is a nested record in the record of a city's weather.
extension FetchedVersion {
    fileprivate var record: Record {
        Record(contents: ["address": address, "entityTag": entityTag, "lastModified": lastModified])
    }

    fileprivate init(_ record: borrowing RecordView) throws {
        let version = FetchedVersion(
            address: try record.required("address"),
            entityTag: try record.optional("entityTag"),
            lastModified: try record.optional("lastModified"))
        guard let version else { throw FieldError("entityTag", "is missing, and lastModified, too") }
        self = version
    }
}

extension Record {
    /// Creates a record. A content that is `nil` has no field.
    fileprivate init(contents: KeyValuePairs<String, (any StoredContent)?>) {
        self.init()
        for (name, content) in contents { self[name] = content?.storedValue }
    }
}
