import Foundation
import UserProfileKit

/// An entity of an embedding program, with nine properties of common types. It is stored in three ways: as a `Codable`
/// type, with a hand-written mapping, and in SQLite.
struct Appointment: Codable, Equatable, Identifiable, Sendable {
    struct Place: Codable, Equatable, Sendable {
        var name: String
        var floor: Int
    }

    enum Status: String, Codable, FieldContent {
        case planned, running, done
    }

    let id: UUID
    var title: String
    var status: Status
    var startsAt: Date
    var seats: Int
    var price: Double
    var note: String?
    var place: Place
    var tags: [String]
}

extension Appointment: Queryable {
    static let fields = EntityFields(of: Appointment.self)
}

extension Appointment {
    /// The indexes of both mappings.
    static let indexes: [EntityIndex<Appointment>] = [.on(\.title), .on(\.status, \.startsAt)]

    /// Creates an appointment. One number always creates the same one. The ids are in a scattered order.
    init(_ number: Int) {
        let scattered = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: scattered >> (8 * UInt64(index % 8))) }
        id = UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(7), byte(6), byte(5),
                byte(4), byte(3), byte(2), byte(1), byte(0)
            ))
        title = "appointment \(number)"
        status = [.planned, .done, .running, .done][number % 4]
        startsAt = Date(timeIntervalSince1970: Double(1_700_000_000 + number * 60))
        seats = number % 40
        price = Double(number % 1000) / 4
        note = number.isMultiple(of: 2) ? "a note" : nil
        place = Place(name: "room \(number % 10)", floor: number % 5)
        tags = ["a\(number % 7)", "b"]
    }

    static func all(_ count: Int) -> [Appointment] { (0..<count).map { Appointment($0) } }
}

/// A hand-written mapping of appointments, which takes less time than the one of the `Codable` type.
struct AppointmentMapping: RecordMapping {
    let collection = "appointments"
    let fieldNames = ["title", "status", "startsAt", "seats", "price", "note", "place", "tags"]
    let indexes: [IndexDefinition] = [.on("title"), .on("status", "startsAt")]

    func record(of entity: Appointment) -> Record {
        var record: Record = [
            "title": .string(entity.title), "status": .string(entity.status.rawValue),
            "startsAt": entity.startsAt.storedValue ?? .real(0), "seats": .integer(Int64(entity.seats)),
            "price": .real(entity.price), "tags": .array(entity.tags.map { .string($0) }),
            "place": .record(["name": .string(entity.place.name), "floor": .integer(Int64(entity.place.floor))]),
        ]
        record["note"] = entity.note.map { .string($0) }
        return record
    }

    func entity(of record: borrowing RecordView, id: UUID) throws -> Appointment {
        Appointment(
            id: id, title: try record.required("title"), status: try record.required("status"),
            startsAt: try record.required("startsAt"), seats: try record.required("seats"),
            price: try record.required("price"), note: try record.optional("note"),
            place: try record.required("place") { place in
                Appointment.Place(name: try place.required("name"), floor: try place.required("floor"))
            },
            tags: try record.required("tags"))
    }
}

extension Appointment.Status: StoredContent {}
