extension Temperature: Codable {
    /// Reads degrees Celsius.
    public init(from decoder: any Decoder) throws { try self.init(celsius: Double(from: decoder)) }

    /// Writes degrees Celsius.
    public func encode(to encoder: any Encoder) throws { try celsius.encode(to: encoder) }
}

extension Instant: Codable {
    /// Reads the `date-time` of RFC 3339.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Writes the `date-time` of RFC 3339, which has the years 0001 to 9999. (A record keeps every instant, as a date.)
    public func encode(to encoder: any Encoder) throws {
        guard date() != nil else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "the text has the years 0001 to 9999"))
        }
        try description.encode(to: encoder)
    }
}
