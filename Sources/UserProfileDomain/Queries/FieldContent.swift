/// A type whose values a query can compare. To use your own type in an ``EntityField``, conform the type to this
/// protocol.
///
/// Equal values must return equal operands. If the type is `Comparable`, the operands must sort in the same order as
/// the values.
public protocol FieldContent: Sendable {
    /// The value as an ``Operand``, which queries compare.
    var operand: Operand { get }

    /// Creates the value whose ``operand`` is the given operand, or returns `nil` if no such value exists.
    init?(operand: Operand)
}

/// A type of text values that a query can search for a prefix or a substring, with
/// ``Filter/begins(_:with:ignoringCase:)`` and ``Filter/contains(_:_:ignoringCase:)``.
public protocol FieldText: FieldContent {}

extension String: FieldText {
    /// The text as an operand. Queries compare Unicode scalar values, so canonically equivalent texts differ, although
    /// `String` treats them as equal.
    public var operand: Operand { .text(self) }

    /// Creates a string from an operand, or returns `nil` if the operand is not a string.
    public init?(operand: Operand) {
        guard case .text(let text) = operand else { return nil }
        self = text
    }
}

extension Int64: FieldContent {
    /// The number as an operand.
    public var operand: Operand { .integer(self) }

    /// Creates a number from an operand, or returns `nil` if the operand is not an integer.
    public init?(operand: Operand) {
        guard case .integer(let number) = operand else { return nil }
        self = number
    }
}

extension Int: FieldContent {
    /// The number as an operand that contains a 64-bit integer.
    public var operand: Operand { .integer(Int64(self)) }

    /// Creates a number from an operand, or returns `nil` if the operand is not an integer or exceeds the range of
    /// `Int`.
    public init?(operand: Operand) {
        guard case .integer(let number) = operand else { return nil }
        self.init(exactly: number)
    }
}

extension FieldContent where Self: RawRepresentable, RawValue: FieldContent {
    /// The raw value as an operand. This default implementation applies to types whose raw values conform to
    /// ``FieldContent``.
    public var operand: Operand { rawValue.operand }

    /// Creates the value whose raw value corresponds to the given operand, or returns `nil` if no such value exists.
    public init?(operand: Operand) {
        guard let rawValue = RawValue(operand: operand) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension Double: FieldContent {
    /// The number as an operand.
    public var operand: Operand { .real(self) }

    /// Creates a number from an operand that is a real or an integer, or returns `nil` for any other operand.
    public init?(operand: Operand) {
        switch operand {
        case .real(let number): self = number
        case .integer(let number): self.init(number)
        default: return nil
        }
    }
}

extension Bool: FieldContent {
    /// The Boolean value as an operand.
    public var operand: Operand { .bool(self) }

    /// Creates a Boolean value from an operand, or returns `nil` if the operand is not a Boolean value.
    public init?(operand: Operand) {
        guard case .bool(let flag) = operand else { return nil }
        self = flag
    }
}

extension UserID: FieldText {}

extension CityCode: FieldText {}

extension MailAddress: FieldText {
    /// The comparable form of the address as an operand. Equal addresses have equal operands.
    public var operand: Operand { .text(MailAddress.comparable(text)) }
}

extension Temperature: FieldContent {
    /// The temperature in degrees Celsius as an operand.
    public var operand: Operand { .real(celsius) }

    /// Creates a temperature from an operand in degrees Celsius, or returns `nil` if the operand is not a number or no
    /// such temperature exists.
    public init?(operand: Operand) {
        guard let celsius = Double(operand: operand) else { return nil }
        // The reason for the error is not needed: `nil` means that no temperature has this value.
        do { try self.init(celsius: celsius) } catch { return nil }
    }
}

extension Instant: FieldContent {
    /// The point in time as an operand.
    public var operand: Operand { .instant(self) }

    /// Creates a point in time from an operand, or returns `nil` if the operand is not a point in time.
    public init?(operand: Operand) {
        guard case .instant(let instant) = operand else { return nil }
        self = instant
    }
}
