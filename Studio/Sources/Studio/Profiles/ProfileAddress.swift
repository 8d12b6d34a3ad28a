import UserProfileKit

/// The address of the page of one profile. The id is in the query, because a browser resolves dots in a path.
struct ProfileAddress: Sendable {
    static let path = "/profile"

    let id: UserID

    init(_ id: UserID) { self.id = id }

    /// Reads the id from the query of an address.
    ///
    /// - Throws: `ValidationError` if it is not an id.
    init(_ form: Form) throws(ValidationError) { id = try UserID(stored: form["id"] ?? "") }

    /// The address.
    var text: String { address() }

    /// Returns the address of an action on the profile, or of a notice about one.
    func address(_ action: String = "", notice: String? = nil) -> String {
        var form = Form()
        form["id"] = id.text
        form["done"] = notice
        return form.address(ProfileAddress.path + action)
    }
}
