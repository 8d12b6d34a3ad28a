extension User {
    /// Returns the mapping of users to records of the collection `users`. Use it to store users without the module
    /// `UserProfileKit`:
    ///
    /// ```swift
    /// let users = try store.repository(mapping: User.mapping())
    /// ```
    ///
    /// The fields `mailAddress` and `birthday` are strings. The field `mailAddress-key` is the form by which addresses
    /// are compared.
    ///
    /// - Parameter isMailAddressUnique: Whether a store rejects a second user with the same mail address.
    /// - Returns: The mapping.
    public static func mapping(isMailAddressUnique: Bool = false) -> some RecordMapping<User> {
        UserMapping(isMailAddressUnique: isMailAddressUnique)
    }
}

/// A mapping of users to records of the collection `users`. The fields `mailAddress` and `birthday` are strings.
package struct UserMapping: RecordMapping {
    private let isMailAddressUnique: Bool

    /// Creates the mapping.
    ///
    /// - Parameter isMailAddressUnique: Whether a store rejects a second user with the same mail address.
    package init(isMailAddressUnique: Bool = false) { self.isMailAddressUnique = isMailAddressUnique }

    /// The name of the collection, `users`.
    package var collection: String { "users" }

    /// The names of the fields in the record of a user.
    package var fieldNames: [String] { UserMapping.names }

    private static let names = ["mailAddress", "mailAddress-key", "birthday"]

    /// The indexes on the mail address, on the birthday, and on the month and day of the birthday.
    ///
    /// The index entries contain the records, because profiles are small and are read more often than saved.
    package var indexes: [IndexDefinition] {
        isMailAddressUnique ? UserMapping.uniqueIndexes : UserMapping.plainIndexes
    }

    private static let uniqueIndexes = indexes(isUnique: true)
    private static let plainIndexes = indexes(isUnique: false)

    private static func indexes(isUnique: Bool) -> [IndexDefinition] {
        [
            IndexDefinition(QueryField("mailAddress-key"), isUnique: isUnique, isCovering: true),
            IndexDefinition(QueryField("birthday"), isCovering: true), IndexDefinition(monthDay, isCovering: true),
        ]
    }

    /// Returns the text of a user id.
    package func text(of id: UserID) -> String { id.text }

    /// Creates a user id from the id of a record.
    ///
    /// - Throws: `ValidationError` if the text is not a valid user id.
    package func id(of text: String) throws -> UserID { try UserID(stored: text) }

    /// Encodes a user as a record. A property that is `nil` has no field. The field `mailAddress-key` contains the
    /// comparable form of the mail address, by which users are found and which a unique index compares.
    package func record(of user: User) -> Record {
        var fields: [Record.Field] = []
        fields.reserveCapacity(3)
        func append(_ name: String, _ text: String?) {
            guard let text else { return }
            fields.append(Record.Field(name: name, isASCII: true, value: .string(text)))
        }
        // In the order of a record's fields.
        append("birthday", user.birthday?.text)
        if let text = user.mailAddress?.text {
            append("mailAddress", text)
            append("mailAddress-key", MailAddress.comparable(text))
        }
        return Record(ordered: fields)
    }

    /// Decodes a user from a record. Throws a ``FieldError`` if a field is invalid.
    package func entity(of record: borrowing RecordView, id: consuming UserID) throws -> User {
        // A birthday is read without creating a string, unless it is invalid.
        return User(
            id: id, mailAddress: try record.optional("mailAddress", converting: MailAddress.init),
            birthday: try record.withText(of: FieldName("birthday")) { Birthday(utf8: $0) }
                ?? record.optional("birthday", converting: Birthday.init))
    }

    /// The translations of a user's fields for queries. They compare the comparable forms of mail addresses.
    package var queryFields: [String: FieldMapping] { UserMapping.queryFields }

    private static let queryFields: [String: FieldMapping] = [
        User.fields.id.name: FieldMapping(.id),
        User.fields.mailAddress.name: FieldMapping(mailAddress: QueryField("mailAddress")),
        User.fields.birthday.name: FieldMapping(QueryField("birthday")),
        User.fields.monthDay.name: FieldMapping(monthDay),
    ]

    private static let monthDay = QueryField("birthday", transform: .monthDay)
}
