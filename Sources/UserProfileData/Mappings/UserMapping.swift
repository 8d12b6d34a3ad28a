public import DataStoreCore
public import DataStoreQueries
public import UserProfileDomain

/// Users as records of the collection `users`: `mailAddress` and `birthday`, both strings as a person writes them.
public struct UserMapping: RecordMapping {
    private static let mailAddress = "mailAddress"
    private static let birthday = "birthday"

    /// `users`.
    public let collection = "users"

    /// The fields of a user.
    public let fieldNames = [mailAddress, birthday]

    /// The indexes of mail address, birthday, and month and day of the birthday. They hold the records: profiles are small, and
    /// are read more often than they are saved.
    public let indexes: [IndexDefinition]

    /// Makes the mapping.
    ///
    /// - Parameter isMailAddressUnique: whether no two users may have the same mail address. To save a second one is
    ///   refused then. Where users are there already, it holds as soon as the indexes are built.
    public init(isMailAddressUnique: Bool = false) {
        indexes = isMailAddressUnique ? UserMapping.indexes(isUnique: true) : UserMapping.plainIndexes
    }

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
        record[UserMapping.birthday] = user.birthday.map { .string($0.description) }
        record[UserMapping.mailAddress] = user.mailAddress.map { .string($0.text) }
        return record
    }

    /// The user of a record.
    public func entity(of record: borrowing RecordView, id: UserID) throws -> User {
        User(
            id: id,
            mailAddress: try record.optional(UserMapping.mailAddress, \.string, as: MailAddress.init),
            birthday: try record.optional(UserMapping.birthday, \.string) { text in try Birthday(text) })
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
