import UserProfileKit

/// The birthdays of the coming days.
struct BirthdaysPage: Page {
    static let template = "Birthdays"
    static let path = "/birthdays"

    /// The number of birthdays that the page shows at most. More are summed up in a sentence.
    static let maximumCount = 200

    /// A birthday.
    struct Row: Sendable {
        let date: String
        let isToday: Bool
        let age: Int
        let id: String
        let address: String
        let mailAddress: String
    }

    let frame: Frame
    let title = "Birthdays"
    let navigation = NavigationItem.items(current: BirthdaysPage.path)
    /// The number of days after today.
    let days: Int
    let rows: [Row]
    let hasRows: Bool
    let hasMore: Bool
    let eventsAddress: String

    /// Reads the birthdays, one day at a time, so that a large store does not load all of them.
    ///
    /// - Parameters:
    ///   - form: The query of the address, with the number of days: 0 to 365, otherwise 30.
    ///   - storage: The storage.
    ///   - frame: The store.
    ///   - clock: The clock.
    /// - Throws: `RepositoryError` if the profiles cannot be read.
    init(_ form: Form, in storage: UserProfileStorage, frame: Frame, clock: Clock) async throws {
        let days = form["days"].flatMap { Int($0) }.flatMap { (0...365).contains($0) ? $0 : nil } ?? 30
        let today = try clock.today()
        var rows: [Row] = []
        for offset in 0...days where rows.count <= BirthdaysPage.maximumCount {
            guard let day = clock.day(after: offset) else { break }
            rows += try await storage.profiles.birthdays(from: day, within: 0).map { Row($0, today: today) }
        }
        self.frame = frame
        self.days = days
        hasMore = rows.count > BirthdaysPage.maximumCount
        self.rows = Array(rows.prefix(BirthdaysPage.maximumCount))
        hasRows = !rows.isEmpty
        eventsAddress = "/birthdays/events"
    }
}

extension BirthdaysPage.Row {
    fileprivate init(_ birthday: UpcomingBirthday, today: CalendarDate) {
        date = birthday.date.text
        isToday = birthday.date == today
        age = birthday.age
        id = birthday.user.id.text
        address = ProfileAddress(birthday.user.id).text
        mailAddress = birthday.user.mailAddress?.text ?? ""
    }
}
