import DataStoreCore

/// What encodes itself as one plain value: the types that coders must know, and that know no coder.
protocol PlainValue {
    var plainValue: Value { get }

    /// The content of a value; nil where it is of another kind or does not fit.
    init?(plainValue: Value)
}

extension String: PlainValue {
    var plainValue: Value { .string(self) }

    init?(plainValue: Value) {
        guard let text = plainValue.string else { return nil }
        self = text
    }
}

extension Bool: PlainValue {
    var plainValue: Value { .bool(self) }

    init?(plainValue: Value) {
        guard case .bool(let flag) = plainValue else { return nil }
        self = flag
    }
}

extension Double: PlainValue {
    var plainValue: Value { .real(self) }

    init?(plainValue: Value) {
        guard let number = plainValue.real else { return nil }
        self = number
    }
}

extension Float: PlainValue {
    var plainValue: Value { .real(Double(self)) }

    /// Rounds what a person typed, but never to infinity.
    init?(plainValue: Value) {
        guard let number = plainValue.real else { return nil }
        let rounded = Float(number)
        guard rounded.isFinite || !number.isFinite else { return nil }
        self = rounded
    }
}

extension FixedWidthInteger {
    /// An integer, or the decimal digits of one that is beyond `Int64`.
    var plainValue: Value { Int64(exactly: self).map { .integer($0) } ?? .string("\(self)") }

    init?(plainValue: Value) {
        switch plainValue {
        case .integer(let number): self.init(exactly: number)
        case .string(let digits):
            // Only what is written so: digits in a string are no number elsewhere.
            guard let number = Self(digits), Int64(exactly: number) == nil, "\(number)" == digits else { return nil }
            self = number
        default: return nil
        }
    }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension Int128: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}
extension UInt128: PlainValue {}

extension Value {
    /// Stands for nil where leaving a field out cannot say so.
    static let null = Value.record([CodedName.null: .bool(true)])

    /// Whether it stands for nil.
    var isNull: Bool {
        guard let record, record.count == 1 else { return false }
        return record[CodedName.null] == .bool(true)
    }
}
