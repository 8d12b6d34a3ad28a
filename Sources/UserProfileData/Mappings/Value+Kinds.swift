public import DataStoreCore

extension Value {
    /// The text of a string; `nil` for any other kind.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number of an integer; `nil` for any other kind.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The number of a real, or of an integer that a real represents exactly; `nil` for any other kind. (In a property
    /// list that a person edits, `6` may stand for 6.0.)
    public var real: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(exactly: number)
        default: nil
        }
    }

    /// The point in time of a date; `nil` for any other kind.
    public var date: Timestamp? { if case .date(let date) = self { date } else { nil } }

    /// The values of an array; `nil` for any other kind.
    public var array: [Value]? { if case .array(let values) = self { values } else { nil } }

    /// The nested record; `nil` for any other kind.
    public var record: Record? { if case .record(let record) = self { record } else { nil } }
}
