/// A decoder for the weather documents of a service.
package protocol WeatherDecoder: Sendable {
    /// Decodes a document.
    ///
    /// - Parameters:
    ///   - document: The bytes of the document.
    ///   - city: The city of the request, because the document does not contain it.
    /// - Returns: The weather.
    /// - Throws: ``ValidationError`` with the path of the invalid member if the document is invalid.
    func decode(_ document: [UInt8], for city: CityCode) throws(ValidationError) -> Weather
}
