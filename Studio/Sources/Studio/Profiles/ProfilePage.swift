import UserProfileKit

/// One profile, with forms that change it.
struct ProfilePage: Page {
    static let template = "Profile"

    let frame: Frame
    let navigation = NavigationItem.items(current: "")
    let title: String

    let exists: Bool
    let mailAddress: String?
    let birthday: String?
    let age: String?
    let nextBirthday: String?
    let eventsAddress: String
    /// The forms, or `nil` if the studio only reads.
    let editor: ProfileEditor?
    let mailAction: String
    let birthdayAction: String
    let deleteAction: String
    /// The address of the stored form.
    let recordAddress: String
    /// The message about the completed change, or `nil`.
    let notice: String?

    /// Creates the page of a profile.
    ///
    /// - Parameters:
    ///   - address: The address of the profile.
    ///   - user: The profile, or `nil` if it does not exist.
    ///   - frame: The store.
    ///   - today: The day for which the page displays the age.
    ///   - editor: The forms with the values and errors of a rejected change; `nil` for the saved values.
    ///   - notice: The message about the completed change.
    init(
        _ address: ProfileAddress, _ user: User?, frame: Frame, today: CalendarDate, editor: ProfileEditor? = nil,
        notice: String? = nil
    ) {
        self.frame = frame
        self.notice = notice
        title = "Profile \(address.id.text)"
        exists = user != nil
        mailAddress = user?.mailAddress?.text
        birthday = user?.birthday?.text
        age = user?.birthday?.age(on: today).map { "\($0)" }
        nextBirthday = user?.birthday?.next(onOrAfter: today)?.text
        eventsAddress = address.address("/events")
        self.editor = frame.isWritable ? user.map { editor ?? ProfileEditor($0) } : nil
        mailAction = address.address("/mail")
        birthdayAction = address.address("/birthday")
        deleteAction = address.address("/delete")
        recordAddress = RecordAddress(collection: "users", id: address.id.text).text
    }
}
