/// The field of a record that a query or an index reads. It consists of a path to stored values and an optional
/// transform of these values.
///
/// ```swift
/// QueryField("birthday")
/// QueryField("birthday", transform: .monthDay)
/// QueryField("address").part("city")
/// QueryField.elements(of: "forecasts").part("date")
/// ```
///
/// The ``name`` is the text form of the field, e.g. `forecasts[].date` or `birthday:date.monthDay@1`. A store keeps
/// this text in the definition of an index.
///
/// If the path leads through an array, a record can have several values. A comparison then holds if it holds for at
/// least one of them, except `!=`, which holds if no value is equal. A sort uses the least value.
public struct QueryField: Sendable {
    /// One step of a path: the name of a field. If `isEach` is `true`, the path continues with each element of the
    /// field's array, otherwise with the field's value.
    struct Step: Hashable, Sendable {
        let name: String
        let isEach: Bool
    }

    // Queries and plans copy fields often. Copying a class instance only increments a reference count.
    private final class Definition: Sendable {
        let name: String
        let steps: [Step]
        let transform: ValueTransform?
        let isID: Bool

        let isSingle: Bool
        /// Whether the field is the id or a stored field at the top level of the record.
        let isTopLevel: Bool
        /// The name of the stored field with which the path begins, or `nil` for the id and for the field of a compound
        /// index.
        let first: FieldName?
        let components: [QueryField]
        /// The field without its transform if every stored value must have a result, otherwise `nil`.
        let required: QueryField?

        init(
            _ steps: [Step], _ transform: ValueTransform?, name: String? = nil, isID: Bool = false,
            components: [QueryField] = []
        ) {
            self.components = components
            isSingle = !steps.contains(where: \.isEach)
            isTopLevel = isSingle && steps.count <= 1
            first = steps.first.map { FieldName($0.name) }
            self.name = name ?? QueryField.text(of: steps, transform)
            self.steps = steps
            self.transform = transform
            self.isID = isID
            required = transform == .decimal ? QueryField(Definition(steps, nil)) : nil
        }
    }

    private let definition: Definition

    /// The text form of the path and the transform, e.g. `forecasts[].date`. It identifies the field within a
    /// collection.
    public var name: String { definition.name }

    /// The text form without the transform, for messages.
    package var path: String { Self.text(of: steps, nil) }

    /// The fields of a compound index, or a single field itself.
    package var parts: [QueryField] { components.isEmpty ? [self] : components }

    /// The paths of the fields of a compound index, or the path of a single field.
    var paths: [String] { parts.map(\.path) }

    /// The steps of the path. Empty for the id, for the field of a compound index, and for a string that is not a path.
    var steps: [Step] { definition.steps }

    /// The transform of the values at the end of the path, or `nil` if the field is the stored value itself.
    package var transform: ValueTransform? { definition.transform }

    /// Creates a field at the top level of a record.
    ///
    /// - Parameters:
    ///   - name: The name of the stored field. It is not a path, so no character has a special meaning.
    ///   - transform: The transform of the stored value, or `nil` to use the value itself.
    public init(_ name: String, transform: ValueTransform? = nil) {
        definition = Definition([Step(name: name, isEach: false)], transform)
    }

    private init(_ definition: Definition) { self.definition = definition }

    init(_ steps: [Step], _ transform: ValueTransform? = nil) { definition = Definition(steps, transform) }

    /// The id of the record, as a string.
    public static let id = QueryField(Definition([], nil, name: "id", isID: true))

    /// Returns a field with one value for each element of a stored array, e.g. `forecasts[]`.
    ///
    /// - Parameter name: The name of the stored field.
    /// - Returns: The field. If the stored value is not an array, the field has no value.
    public static func elements(of name: String) -> QueryField {
        QueryField(Definition([Step(name: name, isEach: true)], nil))
    }

    /// The field with one value for each element of the array at the end of this path. The id has no path, so the
    /// result is the id itself.
    package var elements: QueryField {
        guard let last = steps.last else { return self }
        return QueryField(Definition(steps.dropLast() + [Step(name: last.name, isEach: true)], nil))
    }

    /// Returns a field of the nested records at the end of this path, e.g. `forecasts[].date`.
    ///
    /// - Parameter name: The name of the field in the nested records.
    /// - Returns: The field.
    public func part(_ name: String) -> QueryField {
        QueryField(Definition(steps + [Step(name: name, isEach: false)], nil))
    }

    /// Returns the field with the path and the transform of `field`, applied to the nested records at the end of this
    /// path.
    package func part(_ field: QueryField) -> QueryField {
        QueryField(Definition(steps + field.steps, field.transform))
    }

    /// Returns a field next to this one, whose name has a suffix, e.g. `owners-key[]`.
    package func withSuffix(_ suffix: String) -> QueryField {
        guard let last = steps.last else { return self }
        return QueryField(Definition(steps.dropLast() + [Step(name: last.name + suffix, isEach: last.isEach)], nil))
    }

    /// Returns a field with the path of this field and the given transform.
    package func transformed(by transform: ValueTransform) -> QueryField {
        QueryField(Definition(steps, transform))
    }

    /// Returns a field that combines several fields, or the only field of the array. Only the definition of a compound
    /// index uses a field that combines others.
    package static func compound(_ fields: [QueryField]) -> QueryField {
        if fields.count == 1 { return fields[0] }
        return QueryField(Definition([], nil, name: compoundText(fields.map(\.name)), components: fields))
    }

    /// The fields of a compound index; empty for a single field.
    package var components: [QueryField] { definition.components }

    /// Parses the text form of a field, e.g. `place.name` or `tags[]`.
    ///
    /// A dot separates two names, `[]` after a name stands for each element of an array, and `:` precedes the name of a
    /// ``ValueTransform``. A backslash makes the next character part of a name.
    ///
    /// The result is `nil` if the text is not a path, or the transform is unknown.
    ///
    /// - Parameter text: The text form, e.g. `place.name` or `tags[]`, or `[status, startsAt]` for the fields of a
    ///   compound index.
    package init?(parsing text: String) {
        var fields: [QueryField] = []
        for name in Self.componentTexts(of: text) ?? [text] {
            guard let (steps, transform) = Self.parse(name) else { return nil }
            fields.append(QueryField(steps, transform))
        }
        self = .compound(fields)
    }

    /// The field without its transform: the stored values at the end of the path.
    package var stored: QueryField { transform == nil ? self : QueryField(Definition(steps, nil)) }

    /// Creates a field from its text form. If the text is not a path, the field has no values, and a ``Schema`` rejects
    /// it.
    init(path text: String) { self = QueryField(parsing: text) ?? QueryField(malformed: text) }

    /// Creates a field without values from a string that is not a path. A ``Schema`` rejects the field.
    package init(malformed text: String) { definition = Definition([], nil, name: text) }
}

extension QueryField: Hashable {
    /// Returns whether two fields are both the id, or have the same path and transform.
    public static func == (left: QueryField, right: QueryField) -> Bool {
        left.definition === right.definition || left.isID == right.isID && left.name.hasSameBytes(as: right.name)
    }

    /// Hashes the text form of the field, consistently with `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension QueryField: CustomStringConvertible {
    /// The text form of the field.
    public var description: String { name }
}

extension QueryField {
    /// Whether the field is the id of the record.
    var isID: Bool { definition.isID }

    /// Whether every record has at most one value of the field.
    package var isSingle: Bool { definition.isSingle }

    /// Returns whether at least one of the field's values in a record meets a condition.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the record cannot be read.
    func hasValue(
        in record: borrowing RecordView, id: @autoclosure () -> String,
        where meets: (Value) throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> Bool {
        let origin = try origin(in: record, id: id())
        try validate(origin, .corrupted)
        return try hasValue(of: origin, where: meets)
    }

    /// The name of the field, if it is a field at the top level of a record without a transform. Otherwise `nil`.
    var storedName: FieldName? { transform == nil ? topLevelName : nil }

    /// The name of the stored field, if it is a field at the top level of a record, perhaps with a transform.
    var topLevelName: FieldName? { definition.isTopLevel ? definition.first : nil }

    /// Throws a `DataStoreError` with the given code if a stored value is not a number that the field requires. Without
    /// this check, queries would skip the record.
    func validate(_ origin: Value?, _ code: DataStoreError.Code) throws(DataStoreError) {
        guard let required = definition.required else { return }
        _ = try required.hasValue(of: origin) { value throws(DataStoreError) in
            // A number that is not finite is stored as a record, and has no place in the order.
            if case .record = value { return false }
            guard transform?(value) == nil else { return false }
            throw DataStoreError(code, "the field \(path) has a \(value.kind) that is not a decimal number")
        }
    }

    /// Throws a `DataStoreError` with the given code if a record has a value that is not a number that the field, or a
    /// component of it, requires.
    func validate(_ record: borrowing RecordView, _ code: DataStoreError.Code) throws(DataStoreError) {
        for component in components { try component.validate(record, code) }
        if definition.required != nil { try validate(origin(in: record, id: ""), code) }
    }

    /// Returns the stored value from which the values of the field are computed: the value of the stored field with
    /// which the path begins, or `nil` if the record lacks it. For the id, the id as a string.
    func origin(in record: borrowing RecordView, id: @autoclosure () -> String) throws(DataStoreError) -> Value? {
        if let first = definition.first { return try record.value(of: first) }
        return isID ? .string(id()) : nil
    }

    /// Returns whether two records have equal stored values from which the values of the field are computed. The bytes
    /// of encoded values are compared.
    func isUnchanged(from old: borrowing RecordView, to new: borrowing RecordView) throws(DataStoreError) -> Bool {
        for component in components where try !component.isUnchanged(from: old, to: new) { return false }
        guard let first = definition.first else { return true }
        return try new.hasSameValue(of: first, as: old)
    }

    /// Appends the index text of the field's value in a record. The field must have at most one value in each record.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the record cannot be read.
    func appendIndexText(
        in record: borrowing RecordView, id: String, to text: inout [UInt8]
    ) throws(DataStoreError) {
        if !components.isEmpty {
            for component in components { try component.appendIndexText(in: record, id: id, to: &text) }
            return
        }
        if try appendStoredText(in: record, to: &text) { return }
        let hasValue = hasValue(of: try origin(in: record, id: id)) { value in
            value.appendIndexText(to: &text)
            return true
        }
        if !hasValue { text += Value.missingIndexText }
    }

    /// Appends the index text of the field's value without creating a string, if the value is the stored string or a
    /// part of it. Saves spend much of their time on index texts.
    ///
    /// - Returns: Whether the index text was appended. If `false`, the caller must compute the value first.
    private func appendStoredText(
        in record: borrowing RecordView, to text: inout [UInt8]
    ) throws(DataStoreError) -> Bool {
        guard let name = topLevelName else { return false }
        let isAppended = try record.withText(of: name) { bytes in
            // Other bytes may not be UTF-8.
            guard bytes.isASCII else { return false }
            let part = if let transform { transform.part(of: bytes) } else { bytes.indices }
            return part.map { Value.appendIndexText(ofString: bytes.extracting($0), to: &text) }
        }
        return isAppended == true
    }

    /// The number of values in an index entry of the field: the number of components of a compound field, otherwise 1.
    var componentCount: Int { max(1, definition.components.count) }

    /// Returns whether at least one of the field's values meets a condition, given the stored value with which the path
    /// begins.
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
        return try hasValue(origin, at: 0, isElement: false, where: meets)
    }

    private func hasValue<Failure>(
        _ value: Value, at index: Int, isElement: Bool, where meets: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        if steps[index].isEach, !isElement {
            guard case .array(let elements) = value else { return false }
            for element in elements where try hasValue(element, at: index, isElement: true, where: meets) {
                return true
            }
            return false
        }
        if index + 1 == steps.count {
            guard let transform else { return try meets(value) }
            guard let transformed = transform(value) else { return false }
            return try meets(transformed)
        }
        guard case .record(let record) = value, let next = record[steps[index + 1].name] else { return false }
        return try hasValue(next, at: index + 1, isElement: false, where: meets)
    }

    /// Returns the least of the field's values in a record, by which a query sorts the record. Returns `nil` if the
    /// field has no value.
    func leastValue(in record: borrowing RecordView, id: String) throws(DataStoreError) -> Value? {
        var least: Value?
        _ = try hasValue(in: record, id: id) { value throws(DataStoreError) in
            if least.map({ value.ordering(inSort: $0) == .before }) ?? true { least = value }
            return false
        }
        return least
    }
}
