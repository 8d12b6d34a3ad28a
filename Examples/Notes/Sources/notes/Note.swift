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
    static let fields = EntityFields(of: Note.self)
}
