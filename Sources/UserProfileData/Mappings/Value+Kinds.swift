public import DataStoreCore

extension Value {
    /// The text if the value is a string, otherwise `nil`.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number if the value is an integer, otherwise `nil`.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The number if the value is a real, or an integer that a real represents exactly. Otherwise `nil`.
    ///
    /// An integer is accepted because a person may write `6` for 6.0 in a property list.
    public var real: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(exactly: number)
        default: nil
        }
    }

    /// The point in time if the value is a date, otherwise `nil`.
    public var date: Timestamp? { if case .date(let date) = self { date } else { nil } }

    /// The elements if the value is an array, otherwise `nil`.
    public var array: [Value]? { if case .array(let values) = self { values } else { nil } }

    /// The nested record if the value is a record, otherwise `nil`.
    public var record: Record? { if case .record(let record) = self { record } else { nil } }
}
