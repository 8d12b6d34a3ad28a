import UserProfileKit

/// An entity of the program. It does not depend on how it is stored.
struct Note: Codable, Identifiable, Sendable {
    enum Priority: String, Codable, CaseIterable, Sendable, FieldContent {
        case low, normal, high
    }

    let id: Int
    var title: String
    var priority: Priority
    var due: CalendarDate?
    var isDone = false
}

/// The fields that queries can name, with the names of the properties.
extension Note: Queryable {
    struct Fields: Sendable {
        let id = EntityField<Note, Int>("id")
        let title = EntityField<Note, String>("title")
        let priority = EntityField<Note, Priority>("priority")
        let due = EntityField<Note, CalendarDate>("due")
        let isDone = EntityField<Note, Bool>("isDone")
    }

    static let fields = Fields()
}
