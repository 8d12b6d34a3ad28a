/// A position on Earth.
public struct Coordinates: Hashable, Sendable, CustomStringConvertible {
    /// The latitude in degrees, −90 to 90; north is positive.
    public let latitude: Double

    /// The longitude in degrees, −180 to 180; east is positive.
    public let longitude: Double

    /// Creates coordinates.
    ///
    /// - Parameters:
    ///   - latitude: The latitude in degrees, −90 to 90; north is positive.
    ///   - longitude: The longitude in degrees, −180 to 180; east is positive.
    /// - Throws: ``ValidationError`` if a value is out of range.
    public init(latitude: Double, longitude: Double) throws(ValidationError) {
        func validationError(_ rule: String) -> ValidationError {
            ValidationError(.coordinates, given: "\(latitude), \(longitude)", rule: rule)
        }
        guard (-90.0...90).contains(latitude) else { throw validationError("a latitude is -90 to 90 degrees") }
        guard (-180.0...180).contains(longitude) else { throw validationError("a longitude is -180 to 180 degrees") }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The latitude and the longitude in degrees.
    public var description: String { "\(latitude), \(longitude)" }
}
