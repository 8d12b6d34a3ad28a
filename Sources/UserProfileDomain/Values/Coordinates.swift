/// A place on Earth.
public struct Coordinates: Hashable, Sendable, CustomStringConvertible {
    /// Degrees north of the equator, −90 to 90.
    public let latitude: Double

    /// Degrees east of Greenwich, −180 to 180.
    public let longitude: Double

    /// Takes a place.
    ///
    /// - Parameters:
    ///   - latitude: degrees north of the equator, −90 to 90.
    ///   - longitude: degrees east of Greenwich, −180 to 180.
    /// - Throws: ``ValidationError`` where there is no such place.
    public init(latitude: Double, longitude: Double) throws(ValidationError) {
        func refuse(_ rule: String) -> ValidationError {
            ValidationError(.coordinates, given: "\(latitude), \(longitude)", rule: rule)
        }
        guard (-90.0...90).contains(latitude) else { throw refuse("a latitude is -90 to 90 degrees") }
        guard (-180.0...180).contains(longitude) else { throw refuse("a longitude is -180 to 180 degrees") }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Latitude and longitude in degrees.
    public var description: String { "\(latitude), \(longitude)" }
}
