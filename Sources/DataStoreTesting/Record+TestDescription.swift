public import DataStoreCore
public import Testing

extension Record: CustomTestStringConvertible {
    /// The fields as text, e.g. `{title: "Kyoto", days: 3}`.
    public var testDescription: String {
        "{\(map { "\($0.name): \($0.value.testDescription)" }.joined(separator: ", "))}"
    }
}

extension Value: CustomTestStringConvertible {
    /// The value as text, e.g. `"Kyoto"`. Long strings and data are truncated and followed by their length.
    public var testDescription: String {
        switch self {
        case .string(let text):
            text.utf8.count > 100
                ? "\(String(text.prefix(50)).debugDescription)… (\(text.utf8.count) bytes)" : text.debugDescription
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .date(let timestamp): "\(timestamp)"
        case .data(let bytes): "\(bytes.prefix(16))\(bytes.count > 16 ? "…" : "") (\(bytes.count) bytes)"
        case .array(let values): "[\(values.map(\.testDescription).joined(separator: ", "))]"
        case .record(let record): record.testDescription
        }
    }
}
