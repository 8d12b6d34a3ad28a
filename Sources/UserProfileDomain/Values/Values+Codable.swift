extension Temperature: Codable {
    /// Decodes a number of degrees Celsius. Throws ``ValidationError`` if the number is not finite or is below absolute
    /// zero.
    public init(from decoder: any Decoder) throws { try self.init(celsius: Double(from: decoder)) }

    /// Encodes the temperature as a number of degrees Celsius.
    public func encode(to encoder: any Encoder) throws { try celsius.encode(to: encoder) }
}

extension Instant: Codable {
    /// Decodes a string in the `date-time` format of RFC 3339. Throws ``ValidationError`` if the string is invalid.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Encodes a string in the `date-time` format of RFC 3339. Throws `EncodingError` if the year is not in 1 to 9999.
    public func encode(to encoder: any Encoder) throws {
        guard date() != nil else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "the year must be 0001 to 9999"))
        }
        try description.encode(to: encoder)
    }
}
