// A reference implementation of queries, which filters and sorts in memory.
//
// It implements the documented behavior of `RecordQuery` independently and shares no code with the stores. It sorts
// values by converting each one to a list of numbers.
extension QueryCase {
    /// Returns all records that meet the condition of a query, in its order and regardless of its limit.
    static func result(of query: RecordQuery, from records: [Entry]) -> [Entry] {
        let matching = records.filter { entry in
            query.condition.map { holds($0, entry.record, entry.key.id) } ?? true
        }
        return matching.sorted { left, right in
            for key in query.sort {
                let (leftValue, rightValue) = (sortValue(of: key.field, left), sortValue(of: key.field, right))
                if leftValue != rightValue { return (leftValue < rightValue) != key.isDescending }
            }
            return scalars(left.key.id).lexicographicallyPrecedes(scalars(right.key.id))
        }
    }

    /// Returns the values of a field in a record, for the fields that random queries use.
    static func values(_ field: QueryField, _ record: Record, _ id: String) -> [Value] {
        switch field.name {
        case _ where field == .id: return [.string(id)]
        case "list[]":
            guard case .array(let elements)? = record["list"] else { return [] }
            return elements
        case QueryField.foldedText.name:
            guard case .string(let text)? = record["text"] else { return [] }
            return [.string(text.unicodeScalars.map(folding).joined())]
        default: return [record[field.name]].compactMap(\.self)
        }
    }

    // MARK: Groups

    /// Returns whether groups are correct for the given records: one group for each value of a field, with the number
    /// of records that have this value, in ascending or descending order of the values.
    static func areGroups(
        _ groups: [ValueGroup], by field: QueryField, _ isDescending: Bool, of records: [Entry]
    ) -> Bool {
        let values = records.flatMap { entry in
            let values = Set(Self.values(field, entry.record, entry.key.id).map(sortValue(of:)))
            return values.isEmpty ? [SortValue()] : values.filter { $0.kind <= 4 }
        }
        let expected = Dictionary(grouping: values, by: \.self).sorted { ($0.key < $1.key) != isDescending }
        return groups.elementsEqual(expected) { group, expected in
            (group.value.map(sortValue(of:)) ?? SortValue()) == expected.key && group.count == expected.value.count
        }
    }

    // MARK: Conditions

    static func holds(_ condition: Condition, _ record: Record, _ id: String) -> Bool {
        func texts(_ field: QueryField) -> [[Unicode.Scalar]] {
            values(field, record, id).compactMap { value in
                if case .string(let text) = value { Array(text.unicodeScalars) } else { nil }
            }
        }
        switch condition {
        case .compare(let field, let comparison, let operand):
            let values = values(field, record, id)
            switch comparison {
            case .equal: return values.contains { equal($0, operand) }
            case .notEqual: return !values.contains { equal($0, operand) }
            case .less: return values.contains { less($0, operand) }
            case .greater: return values.contains { less(operand, $0) }
            case .lessOrEqual: return values.contains { ordered($0, operand) && !less(operand, $0) }
            case .greaterOrEqual: return values.contains { ordered($0, operand) && !less($0, operand) }
            }
        case .isIn(let field, let operands):
            return operands.contains { operand in values(field, record, id).contains { equal($0, operand) } }
        case .between(let field, let lower, let upper):
            return values(field, record, id).contains { value in
                ordered(value, lower) && ordered(value, upper) && !less(value, lower) && !less(upper, value)
            }
        case .text(let field, let match): return texts(field).contains { holds(match, $0[...]) }
        case .exists(let field): return !values(field, record, id).isEmpty
        case .any(let field, let condition):
            return values(field, record, id).contains { value in
                guard case .record(let inner) = value else { return false }
                return holds(condition, inner, id)
            }
        case .and(let conditions): return conditions.allSatisfy { holds($0, record, id) }
        case .or(let conditions): return !conditions.allSatisfy { !holds($0, record, id) }
        case .not(let condition): return !holds(condition, record, id)
        }
    }

    /// Returns the case folding of a letter of random texts.
    private static func folding(_ scalar: Unicode.Scalar) -> String {
        scalar == "ß" ? "ss" : scalar.properties.lowercaseMapping
    }

    private static func holds(_ match: TextMatch, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        func folded(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
            scalars.flatMap { match.ignoresCase ? Array(folding($0).unicodeScalars) : [$0] }
        }
        var text = folded(text)[...]
        let searched = folded(match.text.unicodeScalars)
        if let separator = match.separator {
            guard let index = text.lastIndex(of: Unicode.Scalar(separator)) else { return false }
            text = text[(index + 1)...]
        }
        return switch match.kind {
        case .equals: text.elementsEqual(searched)
        case .begins: text.starts(with: searched)
        case .ends: text.reversed().starts(with: searched.reversed())
        case .contains: (text.startIndex...text.endIndex).contains { text[$0...].starts(with: searched) }
        case .like: matches(text, searched[...])
        }
    }

    private static func matches(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*": return matches(text, rest) || !text.isEmpty && matches(text.dropFirst(), pattern)
        case "?": return !text.isEmpty && matches(text.dropFirst(), rest)
        case "\\" where !rest.isEmpty: return text.first == rest.first && matches(text.dropFirst(), rest.dropFirst())
        default: return text.first == first && matches(text.dropFirst(), rest)
        }
    }

    /// Returns whether comparisons such as `less` apply to two values. Both must have the same kind, which must not be
    /// array or record, and neither may be NaN or a sealed value without a blind.
    private static func ordered(_ left: Value, _ right: Value) -> Bool {
        let (left, right) = (sortValue(of: left), sortValue(of: right))
        return left.kind == right.kind && ![6, 7].contains(left.kind) && !left.isNaN && !right.isNaN
    }

    private static func less(_ left: Value, _ right: Value) -> Bool {
        ordered(left, right) && sortValue(of: left) < sortValue(of: right)
    }

    private static func equal(_ left: Value, _ right: Value) -> Bool {
        let (left, right) = (sortValue(of: left), sortValue(of: right))
        return left == right && !left.isNaN
    }

    // MARK: Order

    /// A key that determines the position of a value in a sort.
    struct SortValue: Hashable {
        /// The number of the kind, followed by numbers that are compared one by one. A missing value has the kind 0.
        var numbers: [Int128] = [0]
        /// Whether the value is or contains NaN or a sealed value without a blind.
        var isNaN = false

        var kind: Int128 { numbers[0] }

        static func < (left: SortValue, right: SortValue) -> Bool {
            left.numbers.lexicographicallyPrecedes(right.numbers)
        }
    }

    private static func sortValue(of field: QueryField, _ entry: Entry) -> SortValue {
        let sortValues = values(field, entry.record, entry.key.id).map(sortValue(of:))
        return sortValues.min(by: <) ?? SortValue()
    }

    private static func sortValue(of value: Value) -> SortValue {
        switch value {
        case .bool(let flag): SortValue(numbers: [1, flag ? 1 : 0])
        case .integer(let number): SortValue(numbers: [2, Int128(number), 0])
        case .real(let number): SortValue(numbers: [2] + numbers(of: number), isNaN: number.isNaN)
        case .date(let date):
            SortValue(numbers: [3, Int128(date.seconds) * 1_000_000_000 + Int128(date.nanoseconds)])
        case .string(let text): within(4, scalars(text))
        case .data(let bytes): within(5, bytes)
        case .array(let values): within(6, values.map(sortValue(of:)))
        case .record(let record):
            within(7, record.flatMap { [sortValue(of: .string($0.name)), sortValue(of: $0.value)] })
        case .sealed(let bytes):
            within(8, SealedValue.comparableBytes(of: bytes), isNaN: SealedValue.blind(of: bytes) == nil)
        }
    }

    /// Returns the key of a value of several units. The end is before any further unit.
    private static func within(
        _ kind: Int128, _ units: some Sequence<some BinaryInteger>, isNaN: Bool = false
    ) -> SortValue {
        SortValue(numbers: [kind] + units.map { Int128($0) + 1 } + [0], isNaN: isNaN)
    }

    private static func within(_ kind: Int128, _ elements: [SortValue]) -> SortValue {
        SortValue(numbers: [kind] + elements.flatMap(\.numbers) + [0], isNaN: elements.contains(where: \.isNaN))
    }

    /// Returns the integer below a number, and a number that orders those between two integers.
    private static func numbers(of number: Double) -> [Int128] {
        if number.isNaN { return [.max, 0] }
        let floor = number.rounded(.down)
        // Beyond the range of integers, the number itself determines the order.
        if abs(floor) >= 0x1p64 {
            let bits = Int128(number.magnitude.bitPattern)
            return number < 0 ? [-1 << 70, -bits] : [1 << 70, bits]
        }
        return [Int128(floor), Int128((number - floor).bitPattern)]
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
}
