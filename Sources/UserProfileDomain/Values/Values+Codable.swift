extension Temperature: Codable {
    /// Decodes degrees Celsius and validates them.
    public init(from decoder: any Decoder) throws { try self.init(celsius: Double(from: decoder)) }

    /// Encodes degrees Celsius.
    public func encode(to encoder: any Encoder) throws { try celsius.encode(to: encoder) }
}

extension Instant: Codable {
    /// Decodes the `date-time` of RFC 3339.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Encodes the `date-time` of RFC 3339, or throws `EncodingError` outside the years 0001 to 9999. (Records have a
    /// date type that holds every instant.)
    public func encode(to encoder: any Encoder) throws {
        guard date() != nil else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "a year is 0001 to 9999"))
        }
        try description.encode(to: encoder)
    }
}
