import DataStoreCore

/// A field of records as queries and indexes read it: a path to stored values, and optionally a computation on them.
///
/// ```swift
/// QueryField("birthday")
/// QueryField("birthday", transform: .monthDay)
/// QueryField("address").part("city")
/// QueryField.elements(of: "forecasts").part("date")
/// ```
///
/// A field is data: its ``name`` is its text form, e.g. `forecasts[].date` or `birthday:date.monthDay@1`, and a store
/// keeps that text with the definition of an index.
///
/// A path through the elements of an array can lead to any number of values in a record. A condition holds if one of
/// them meets it; a sort uses the least.
public struct QueryField: Sendable {
    /// One step of a path: a field, and whether the path continues in each element of its array.
    struct Step: Hashable, Sendable {
        let name: String
        let isEach: Bool
    }

    // Queries and plans copy fields often. A class makes that one reference count.
    private final class Definition: Sendable {
        let name: String
        let steps: [Step]
        let transform: ValueTransform?
        let isID: Bool

        let isSingle: Bool
        /// Whether the stored value that the path begins with, or the id, is the value of the field, apart from the
        /// transform.
        let isTopLevel: Bool
        /// The name of the stored field that the path begins with.
        let first: String?

        init(_ steps: [Step], _ transform: ValueTransform?, name: String? = nil, isID: Bool = false) {
            isSingle = !steps.contains(where: \.isEach)
            isTopLevel = isSingle && steps.count <= 1
            first = steps.first?.name
            self.name = name ?? FieldPathText.text(of: steps, transform)
            self.steps = steps
            self.transform = transform
            self.isID = isID
        }
    }

    private let definition: Definition

    /// The text form of the path and the transform, e.g. `forecasts[].date`. It identifies the field in its collection.
    public var name: String { definition.name }

    /// The text form without the transform, for messages.
    var path: String { FieldPathText.text(of: steps, nil) }

    /// The path; empty for the id, and for a text that is not a path.
    var steps: [Step] { definition.steps }

    /// The computation on the values at the end of the path.
    package var transform: ValueTransform? { definition.transform }

    /// Creates a field at the top level of records.
    ///
    /// - Parameters:
    ///   - name: The name of the stored field. Every character is part of the name.
    ///   - transform: The computation on its value.
    public init(_ name: String, transform: ValueTransform? = nil) {
        definition = Definition([Step(name: name, isEach: false)], transform)
    }

    private init(_ definition: Definition) { self.definition = definition }

    /// The record's id, as a string.
    public static let id = QueryField(Definition([], nil, name: "id", isID: true))

    /// Returns the field of the elements of a stored array.
    ///
    /// - Parameter name: The name of the stored field.
    /// - Returns: A field with a value for each element, e.g. `forecasts[]`. A value that is not an array has none.
    public static func elements(of name: String) -> QueryField {
        QueryField(Definition([Step(name: name, isEach: true)], nil))
    }

    /// Returns the path of a field of the records to which this path leads.
    ///
    /// - Parameter name: The name of the field in these records.
    /// - Returns: The field, e.g. `forecasts[].date`.
    public func part(_ name: String) -> QueryField {
        QueryField(Definition(steps + [Step(name: name, isEach: false)], nil))
    }

    /// Returns the field of the records at the end of this path, given as a path of its own.
    package func part(_ field: QueryField) -> QueryField {
        QueryField(Definition(steps + field.steps, field.transform))
    }

    /// Returns the same path with this transform in place of the current one.
    package func transformed(by transform: ValueTransform) -> QueryField {
        QueryField(Definition(steps, transform))
    }

    /// Parses the text form of a field.
    ///
    /// Names are separated by `.`; `[]` after a name stands for each element of an array; `:` precedes the name of a
    /// ``ValueTransform``. A backslash makes the next character part of a name.
    ///
    /// The result is `nil` if the text is not a path, or the transform is unknown.
    ///
    /// - Parameter text: For example `place.name` or `tags[]`.
    package init?(parsing text: String) {
        guard let (steps, transform) = FieldPathText.parse(text) else { return nil }
        definition = Definition(steps, transform)
    }

    /// Creates a field without values, for a text that is not a path. A schema rejects it.
    init(malformed text: String) { definition = Definition([], nil, name: text) }

    /// Returns the field in the records at the end of a path that this path continues, or `nil` if it does not continue
    /// that path.
    func part(after path: QueryField) -> QueryField? {
        guard path.transform == nil, !path.isID, path.steps.count < steps.count, steps.starts(with: path.steps)
        else { return nil }
        return QueryField(Definition(Array(steps.dropFirst(path.steps.count)), transform))
    }
}

extension QueryField: Hashable {
    /// Whether both are the id, or stored fields of the same name.
    public static func == (left: QueryField, right: QueryField) -> Bool {
        left.isID == right.isID && left.name.hasSameBytes(as: right.name)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension QueryField: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension QueryField {
    /// Whether it is the record's id.
    var isID: Bool { definition.isID }

    /// Whether no record has more than one value.
    var isSingle: Bool { definition.isSingle }

    /// Returns whether one of the values in a record meets a condition.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the record cannot be read.
    func hasValue(
        in record: borrowing RecordView, id: String, where meets: (Value) throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> Bool {
        try hasValue(of: origin(in: record, id: id), where: meets)
    }

    /// Returns the stored value that the path begins with. If it is unchanged, so are the values of the field.
    func origin(in record: borrowing RecordView, id: String) throws(DataStoreError) -> Value? {
        if let first = definition.first { return try record.value(of: first) }
        return isID ? .string(id) : nil
    }

    /// Returns whether one of the values under an origin meets a condition.
    func hasValue<Failure>(
        of origin: Value?, where meets: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        guard let origin else { return false }
        // Nearly all fields are at the top level.
        if definition.isTopLevel {
            guard let transform else { return try meets(origin) }
            guard let transformed = transform(origin) else { return false }
            return try meets(transformed)
        }
        return try hasValue(origin, at: 0, where: meets)
    }

    private func hasValue<Failure>(
        _ value: Value, at index: Int, where meets: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        guard steps[index].isEach else { return try hasValue(after: value, at: index, where: meets) }
        guard case .array(let elements) = value else { return false }
        for element in elements where try hasValue(after: element, at: index, where: meets) { return true }
        return false
    }

    private func hasValue<Failure>(
        after value: Value, at index: Int, where meets: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        if index + 1 == steps.count {
            guard let transform else { return try meets(value) }
            guard let transformed = transform(value) else { return false }
            return try meets(transformed)
        }
        guard case .record(let record) = value, let next = record[steps[index + 1].name] else { return false }
        return try hasValue(next, at: index + 1, where: meets)
    }

    /// Returns the least of the values in a record in the order of sorts, or `nil` if the field has no value.
    func leastValue(in record: borrowing RecordView, id: String) throws(DataStoreError) -> Value? {
        var least: Value?
        _ = try hasValue(in: record, id: id) { value throws(DataStoreError) in
            if least.map({ value.ordering(inSort: $0) == .before }) ?? true { least = value }
            return false
        }
        return least
    }
}
