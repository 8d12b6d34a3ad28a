// Values within entities of the embedding program's own, and in JSON: each is its text, and read by its own rules.

extension MailAddress: Codable {
    /// Reads the address of a string.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Writes the address as it was typed.
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension UserID: Codable {
    /// Reads the id of a string.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Writes the id as a string.
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension CityCode: Codable {
    /// Reads the six digits of a string.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Writes the six digits as a string.
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension CalendarDate: Codable {
    /// Reads `yyyy-MM-dd`.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Writes `yyyy-MM-dd`.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Birthday: Codable {
    /// Reads `yyyy-MM-dd`.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Writes `yyyy-MM-dd`.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension MonthAndDay: Codable {
    /// Reads `MM-dd`.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Writes `MM-dd`.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

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
