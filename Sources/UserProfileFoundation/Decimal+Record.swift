public import DataStoreCore
public import Foundation
public import UserProfileData

extension Decimal: RecordValueConvertible {
    /// The digits as text, because a real would round them; nil for what is no number, which is kept in its Codable form.
    public var recordValue: Value? {
        let digits = description
        return Decimal(digits: digits) == self ? .string(digits) : nil
    }

    /// The number of a text of digits, as ``recordValue`` writes it.
    public init?(recordValue: Value) {
        guard let digits = recordValue.string, let number = Decimal(digits: digits), number.description == digits
        else { return nil }
        self = number
    }

    private init?(digits: String) {
        self.init(string: digits, locale: Locale(identifier: "en_US_POSIX"))
    }
}
