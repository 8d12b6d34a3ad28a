public import DataStoreCore

/// What a query asks of each record: a stored field, the id, or something that is computed from a stored field.
///
/// ```swift
/// QueryField("birthday")
/// QueryField("monthAndDay", from: "birthday") { birthday in … }
/// QueryField.elements(of: "forecasts")
/// QueryField.elements(of: "forecasts").part("date")
/// ```
///
/// A field that is made of each part of a stored one may have any number of values in a record. A condition holds where one
/// of them meets it, and in a sort the least of them counts.
public struct QueryField: Sendable {
    /// What identifies the field among those of a collection, and what messages call it. Two fields of one name and one
    /// collection are taken for the same.
    public var name: String { definition.name }

    private enum Source: Sendable {
        case id
        case stored
        case computed(from: String, @Sendable (Value) -> Value?)
        case each(of: String, @Sendable (Value) -> [Value])
    }

    /// Queries and plans pass fields on: that costs one reference, not one for each text and closure.
    private final class Definition: Sendable {
        let name: String
        let source: Source

        init(name: String, source: Source) {
            self.name = name
            self.source = source
        }
    }

    private let definition: Definition
    private var source: Source { definition.source }

    private init(name: String, source: Source) { definition = Definition(name: name, source: source) }

    /// Asks for a stored field.
    ///
    /// - Parameter name: its name.
    public init(_ name: String) { self.init(name: name, source: .stored) }

    /// Asks for something that is computed from a stored field. Where that is missing, so is this.
    ///
    /// - Parameters:
    ///   - name: what identifies the field among those of the collection.
    ///   - stored: the name of the stored field.
    ///   - value: computes the value, or none, of the stored one and of nothing else: what is computed today is compared
    ///     with what is computed tomorrow.
    public init(_ name: String, from stored: String, _ value: @escaping @Sendable (Value) -> Value?) {
        self.init(name: name, source: .computed(from: stored, value))
    }

    /// Asks for things that are computed from each part of a stored field.
    ///
    /// - Parameters:
    ///   - name: what identifies the field among those of the collection.
    ///   - stored: the name of the stored field.
    ///   - values: computes the values, none or more, of the stored one and of nothing else.
    public init(_ name: String, fromEachOf stored: String, _ values: @escaping @Sendable (Value) -> [Value]) {
        self.init(name: name, source: .each(of: stored, values))
    }

    /// The record's id, as a string.
    public static let id = QueryField(name: "id", source: .id)

    /// The elements of a stored array; none where the field is of another kind.
    ///
    /// - Parameter name: the name of the stored field.
    /// - Returns: a field with as many values as the array has elements, called e.g. `forecasts[]`.
    public static func elements(of name: String) -> QueryField {
        QueryField("\(name)[]", fromEachOf: name) { value in
            if case .array(let elements) = value { elements } else { [] }
        }
    }

    /// A field of the values that are records: what ``Condition/any(_:_:)`` of this field asks for by that name.
    ///
    /// - Parameter name: the name of the field within.
    /// - Returns: a field with one value for each that has it, called e.g. `forecasts[].date`.
    public func part(_ name: String) -> QueryField {
        @Sendable func part(_ value: Value) -> Value? {
            if case .record(let record) = value { record[name] } else { nil }
        }
        let (whole, source) = (source, partPrefix + name)
        switch whole {
        case .id: return QueryField(source, from: self.name) { _ in nil }
        case .stored: return QueryField(source, from: self.name, part)
        case .computed(from: let stored, let value):
            return QueryField(source, from: stored) { value($0).flatMap(part) }
        case .each(of: let stored, let values):
            return QueryField(source, fromEachOf: stored) { values($0).compactMap(part) }
        }
    }

    /// What the names of the parts begin with.
    var partPrefix: String { "\(name)." }

    /// What a field that is a part of this one is called within.
    func partName(in name: String) -> String { String(Substring(name.utf8.dropFirst(partPrefix.utf8.count))) }
}

extension QueryField: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension QueryField {
    /// Whether it is the record's id.
    var isID: Bool { if case .id = source { true } else { false } }

    /// Whether no record has more than one value.
    var isSingle: Bool { if case .each = source { false } else { true } }

    /// Whether one of the values in a record meets a condition.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - id: its id.
    ///   - meets: looks at a value.
    /// - Returns: whether it said so of one.
    /// - Throws: `DataStoreError` with the code `corrupted` where the record cannot be read.
    func hasValue(
        in record: borrowing RecordView, id: String, where meets: (Value) throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> Bool {
        try hasValue(of: origin(in: record, id: id), where: meets)
    }

    /// What a record has of the field before anything is computed: where it is the same, the values are.
    func origin(in record: borrowing RecordView, id: String) throws(DataStoreError) -> Value? {
        switch source {
        case .id: .string(id)
        case .stored: try record.value(of: name)
        case .computed(from: let stored, _), .each(of: let stored, _): try record.value(of: stored)
        }
    }

    /// Whether one of the values that an origin has meets a condition.
    func hasValue<Failure>(
        of origin: Value?, where meets: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        guard let origin else { return false }
        switch source {
        case .id, .stored: return try meets(origin)
        case .computed(from: _, let computed):
            guard let value = computed(origin) else { return false }
            return try meets(value)
        case .each(of: _, let values):
            for value in values(origin) where try meets(value) { return true }
            return false
        }
    }

    /// The least of the values in a record, by the order of sorting; nil where there is none.
    func leastValue(in record: borrowing RecordView, id: String) throws(DataStoreError) -> Value? {
        var least: Value?
        _ = try hasValue(in: record, id: id) { value throws(DataStoreError) in
            if least.map({ value.ordering(inSort: $0) == .before }) ?? true { least = value }
            return false
        }
        return least
    }
}
