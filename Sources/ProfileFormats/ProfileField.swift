import UserProfileDomain

/// A column of a CSV profile, or a member of a JSON profile. A CSV file has the columns in the order of the cases.
enum ProfileField: String, CaseIterable {
    case id, mailAddress, birthday

    /// The names of all fields, for messages.
    static let list = "id, mailAddress and birthday"

    /// The columns of a CSV file.
    static let columns = allCases

    /// Returns the text of the field, or an empty text if the user has no value.
    func text(of user: User) -> String {
        switch self {
        case .id: user.id.text
        case .mailAddress: user.mailAddress?.text ?? ""
        case .birthday: user.birthday?.description ?? ""
        }
    }
}
