package import DataStoreCore
package import DataStoreQueries
public import UserProfileDomain

extension User {
    /// Returns the mapping of users to records of the collection `users`. The fields `mailAddress` and `birthday` are
    /// plain strings.
    ///
    /// `UserProfileStorage` of `UserProfileKit` uses it. Call it to keep users in a store without that module.
    ///
    /// - Parameter isMailAddressUnique: Whether a second user with the same mail address is rejected.
    /// - Returns: The mapping.
    public static func mapping(isMailAddressUnique: Bool = false) -> some RecordMapping<User> {
        UserMapping(isMailAddressUnique: isMailAddressUnique)
    }
}

/// A mapping of users to records of the collection `users`. The fields `mailAddress` and `birthday` are plain strings.
package struct UserMapping: RecordMapping {
    private static let mailAddress = "mailAddress"
    private static let birthday = "birthday"

    private let isMailAddressUnique: Bool

    /// Creates the mapping.
    ///
    /// - Parameter isMailAddressUnique: Whether a second user with the same mail address is rejected.
    package init(isMailAddressUnique: Bool = false) { self.isMailAddressUnique = isMailAddressUnique }

    // Computed, so that copying the mapping costs nothing.

    /// The collection `users`.
    package var collection: String { "users" }

    /// The names of a user's fields.
    package var fieldNames: [String] { UserMapping.names }

    private static let names = [mailAddress, birthday]

    /// The indexes of mail address, birthday, and month and day of the birthday. They contain the records, because
    /// profiles are small and are read more often than saved.
    package var indexes: [IndexDefinition] {
        isMailAddressUnique ? UserMapping.uniqueIndexes : UserMapping.plainIndexes
    }

    private static let uniqueIndexes = indexes(isUnique: true)
    private static let plainIndexes = indexes(isUnique: false)

    private static func indexes(isUnique: Bool) -> [IndexDefinition] {
        [
            IndexDefinition(comparableMailAddress, isUnique: isUnique, isCovering: true),
            IndexDefinition(QueryField(birthday), isCovering: true), IndexDefinition(monthDay, isCovering: true),
        ]
    }

    /// Returns the text of the id.
    package func text(of id: UserID) -> String { id.text }

    /// Returns the id with a text.
    ///
    /// - Throws: `ValidationError` if the text is not a valid id.
    package func id(of text: String) throws -> UserID { try UserID(text) }

    /// Returns the fields of a user. A missing value has no field.
    package func record(of user: User) -> Record {
        // In the order of a record's fields, so that each one is appended.
        var record = Record()
        record[UserMapping.birthday] = user.birthday.map { .string($0.text) }
        record[UserMapping.mailAddress] = user.mailAddress.map { .string($0.text) }
        return record
    }

    /// Returns the user that a record contains.
    package func entity(of record: borrowing RecordView, id: UserID) throws -> User {
        // In the order of an encoded record's fields, so that the record is scanned once.
        let birthday = try record.optional(UserMapping.birthday, \.string) { text in try Birthday(text) }
        let mailAddress = try record.optional(UserMapping.mailAddress, \.string, as: MailAddress.init)
        return User(id: id, mailAddress: mailAddress, birthday: birthday)
    }

    /// The mappings of a user's fields. Queries compare mail addresses with their domains in lower case.
    package var queryFields: [String: FieldMapping] { UserMapping.queryFields }

    private static let queryFields: [String: FieldMapping] = [
        User.fields.id.name: FieldMapping(.id),
        User.fields.mailAddress.name: FieldMapping(comparableMailAddress),
        User.fields.birthday.name: FieldMapping(QueryField(birthday)),
        User.fields.monthDay.name: FieldMapping(monthDay),
    ]

    private static let comparableMailAddress = QueryField(mailAddress, transform: .comparableMailAddress)

    private static let monthDay = QueryField(birthday, transform: .monthDay)
}
