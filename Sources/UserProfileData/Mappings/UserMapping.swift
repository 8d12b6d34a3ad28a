public import DataStoreCore
public import DataStoreQueries
public import UserProfileDomain

/// Users as records of the collection `users`: `mailAddress` and `birthday`, both strings as a person writes them.
public struct UserMapping: RecordMapping {
    private static let mailAddress = "mailAddress"
    private static let birthday = "birthday"

    private let isMailAddressUnique: Bool

    /// Creates the mapping.
    ///
    /// - Parameter isMailAddressUnique: Whether a second user with the same mail address is rejected.
    public init(isMailAddressUnique: Bool = false) { self.isMailAddressUnique = isMailAddressUnique }

    // Computed, so that copying the mapping costs nothing.

    /// `users`.
    public var collection: String { "users" }

    /// The fields of a user.
    public var fieldNames: [String] { UserMapping.names }

    private static let names = [mailAddress, birthday]

    /// The indexes of mail address, birthday, and month and day of the birthday. They contain the records, because
    /// profiles are small and are read more often than saved.
    public var indexes: [IndexDefinition] { isMailAddressUnique ? UserMapping.uniqueIndexes : UserMapping.plainIndexes }

    private static let uniqueIndexes = indexes(isUnique: true)
    private static let plainIndexes = indexes(isUnique: false)

    private static func indexes(isUnique: Bool) -> [IndexDefinition] {
        [
            IndexDefinition(comparableMailAddress, isUnique: isUnique, isCovering: true),
            IndexDefinition(QueryField(birthday), isCovering: true), IndexDefinition(monthDay, isCovering: true),
        ]
    }

    /// The id as it is.
    public func text(of id: UserID) -> String { id.text }

    /// The id of a text.
    public func id(of text: String) throws -> UserID { try UserID(text) }

    /// The fields of a user; what the user has not is no field.
    public func record(of user: User) -> Record {
        // In the order of a record's fields.
        var record = Record()
        record[UserMapping.birthday] = user.birthday.map { .string($0.text) }
        record[UserMapping.mailAddress] = user.mailAddress.map { .string($0.text) }
        return record
    }

    /// The user of a record.
    public func entity(of record: borrowing RecordView, id: UserID) throws -> User {
        // In the order of an encoded record's fields, so that it is read once.
        let birthday = try record.optional(UserMapping.birthday, \.string) { text in try Birthday(text) }
        let mailAddress = try record.optional(UserMapping.mailAddress, \.string, as: MailAddress.init)
        return User(id: id, mailAddress: mailAddress, birthday: birthday)
    }

    /// The fields of a user. The mail address is asked for with its domain in lower case.
    public var queryFields: [String: FieldMapping] { UserMapping.queryFields }

    private static let queryFields: [String: FieldMapping] = [
        User.fields.id.name: FieldMapping(.id),
        User.fields.mailAddress.name: FieldMapping(comparableMailAddress),
        User.fields.birthday.name: FieldMapping(QueryField(birthday)),
        User.fields.dayOfYear.name: FieldMapping(monthDay),
    ]

    private static let comparableMailAddress = QueryField(mailAddress, transform: .comparableMailAddress)

    private static let monthDay = QueryField(birthday, transform: .monthDay)
}
