/// A field of an entity type that queries can filter and sort by. Declare one by hand for a type with a mapping of its
/// own; for a `Codable` type, `EntityFields(of:)` declares all fields.
///
/// ```swift
/// extension Visit: Queryable {
///     struct Fields: Sendable {
///         let kind = EntityField<Visit, Visit.Kind>("kind")
///         let place = EntityField<Visit, String>("place.name")
///     }
///     static let fields = Fields()
/// }
/// ```
///
/// The name of a field of a `Codable` type consists of coding keys separated by dots, e.g. `place.name`. The suffix
/// `[]` refers to every element of an array, e.g. `tags[]`.
public struct EntityField<Entity, Content: FieldContent>: Hashable, Sendable {
    /// The name by which a repository finds the field in a stored entity.
    @usableFromInline package let name: String

    /// Creates a field.
    ///
    /// - Parameter name: A name that is unique among the fields of the entity type.
    public init(_ name: String) { self.name = name }
}

/// A field that contains several parts, each with fields of its own, e.g. the daily forecasts in a city's weather.
///
/// ```swift
/// let stops = EntityParts<Trip, Stop>("stops")       // in Trip.Fields
/// let query = Query<Trip>(where: .any(\.stops, \.city == "Kyoto"))
/// ```
///
/// Declare one constant for each such field so that a query can find entities by a condition on a single part. See
/// ``Filter/any(_:_:)``.
public struct EntityParts<Entity, Part>: Hashable, Sendable {
    /// The name by which a repository finds the field in a stored entity.
    @usableFromInline package let name: String

    /// Creates a field that contains parts.
    ///
    /// - Parameter name: A name that is unique among the fields of the entity type.
    public init(_ name: String) { self.name = name }
}

/// An entity type that queries can filter and sort by its fields.
///
/// For a `Codable` type, the type `EntityFields` of the module `RecordCoding` declares all fields. For other types,
/// declare constants:
///
/// ```swift
/// extension Note: Queryable {
///     struct Fields: Sendable {
///         let text = EntityField<Note, String>("text")
///         let isDone = EntityField<Note, Bool>("isDone")
///     }
///     static let fields = Fields()
/// }
///
/// let filter: Filter<Note> = \.isDone == false && .contains(\.text, "milk")
/// ```
public protocol Queryable: Sendable {
    /// A type whose members are the queryable fields: an ``EntityField`` for each field, or an ``EntityParts`` if the
    /// field contains parts.
    associatedtype Fields: Sendable

    /// The queryable fields, to which key paths such as `\.isDone` refer.
    static var fields: Fields { get }
}

/// A type whose values a query can compare. Conform an enum with raw values to it; it needs no code.
///
/// ```swift
/// enum Priority: String, Codable, CaseIterable, FieldContent { case low, normal, high }
///
/// let urgent = try await notes.find(Query(where: \.priority == .high))
/// ```
///
/// Equal values must return equal operands. If the type is `Comparable`, the operands must sort in the same order as
/// the values.
public protocol FieldContent: Sendable {
    /// The value as an ``Operand``, which queries compare.
    var operand: Operand { get }

    /// Creates the value whose ``operand`` is the given operand, or returns `nil` if no such value exists.
    init?(operand: Operand)
}

/// A type of text values that a query can search, e.g. with ``Filter/contains(_:_:ignoringCase:)`` and
/// ``Filter/like(_:_:ignoringCase:)``.
///
/// ```swift
/// struct Title: RawRepresentable, Codable, FieldText { let rawValue: String }
///
/// let found = try await notes.find(Query(where: .contains(\.title, "milk")))
/// ```
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

/// A group of entities with the same value of a field: the value and the number of entities. A repository of your own
/// returns groups; callers use `counts(by:where:)`.
///
/// ```swift
/// FieldGroup(value: .text("Kyoto"), count: 12)
/// ```
public struct FieldGroup: Hashable, Sendable {
    /// The value of the field, or `nil` for the group of entities whose field has no value.
    public let value: Operand?

    /// The number of entities in the group.
    public let count: Int

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - value: The value of the field, or `nil` for the group of entities whose field has no value.
    ///   - count: The number of entities in the group.
    public init(value: Operand?, count: Int) {
        self.value = value
        self.count = count
    }
}

/// A value with which a query compares fields, e.g. a mail address, a date or a temperature.
///
/// ```swift
/// let operand = Operand.text("Kyoto")      // what a `FilterTranslator` receives for `\.title == "Kyoto"`
/// ```
///
/// An operand does not depend on how a repository stores the value.
public enum Operand: Hashable, Sendable {
    /// A string, compared by Unicode scalar values.
    case text(String)
    /// A 64-bit integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A Boolean value.
    case bool(Bool)
    /// A point in time with nanosecond precision.
    case instant(Instant)
}
