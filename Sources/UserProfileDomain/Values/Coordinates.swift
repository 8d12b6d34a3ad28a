/// A position on Earth, given by its latitude and longitude.
public struct Coordinates: Hashable, Sendable, CustomStringConvertible {
    /// The latitude in degrees, −90 to 90. Positive values are north of the equator.
    public let latitude: Double

    /// The longitude in degrees, −180 to 180. Positive values are east of Greenwich.
    public let longitude: Double

    /// Creates coordinates.
    ///
    /// - Parameters:
    ///   - latitude: The latitude in degrees, −90 to 90. Positive values are north of the equator.
    ///   - longitude: The longitude in degrees, −180 to 180. Positive values are east of Greenwich.
    /// - Throws: ``ValidationError`` if a value is out of range.
    public init(latitude: Double, longitude: Double) throws(ValidationError) {
        func validationError(_ rule: String) -> ValidationError {
            ValidationError(.coordinates, given: "\(latitude), \(longitude)", rule: rule)
        }
        guard (-90.0...90).contains(latitude) else { throw validationError("the latitude must be -90 to 90°") }
        guard (-180.0...180).contains(longitude) else { throw validationError("the longitude must be -180 to 180°") }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The latitude and the longitude in degrees, separated by a comma.
    public var description: String { "\(latitude), \(longitude)" }
}
