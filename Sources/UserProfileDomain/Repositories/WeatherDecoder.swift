/// Reads a weather document in the form that a service publishes it.
package protocol WeatherDecoder: Sendable {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - document: the bytes of the document.
    ///   - city: the city it was asked for; a document does not say.
    /// - Returns: what is forecast.
    /// - Throws: ``ValidationError`` where it is no such document; it names the member that is wrong.
    func decode(_ document: [UInt8], for city: CityCode) throws(ValidationError) -> Weather
}
