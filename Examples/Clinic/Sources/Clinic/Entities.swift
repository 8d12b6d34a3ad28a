import Foundation
import UserProfileKit
import UserProfileSealing

struct Doctor: Codable, Identifiable, Hashable, Sendable, Queryable {
    let id: Int
    var name: String

    static let fields = EntityFields(of: Doctor.self)
}

struct Patient: Codable, Identifiable, Hashable, Sendable, Queryable {
    let id: UUID
    var name: String
    var mail: MailAddress
    var diagnosis: String?

    static let fields = EntityFields(of: Patient.self)
}

/// A time of a doctor that somebody has booked. It remains when the doctor leaves, and somebody else takes it over.
struct Appointment: Codable, Identifiable, Hashable, Sendable, Queryable {
    let id: UUID
    let patient: Patient.ID
    var doctor: Doctor.ID?
    var startsAt: Date

    static let fields = EntityFields(of: Appointment.self)
}

/// A time of a doctor that nobody else can book, until `endsAt`.
struct Hold: Codable, Identifiable, Hashable, Sendable, Queryable {
    let id: UUID
    let doctor: Doctor.ID
    let startsAt: Date
    let endsAt: Date

    static let fields = EntityFields(of: Hold.self)
}

struct Invoice: Codable, Identifiable, Hashable, Sendable, Queryable {
    enum Status: String, Codable, CaseIterable, FieldContent { case open, paid }

    let id: UUID
    let patient: Patient.ID
    var amount: Decimal
    var status = Status.open

    static let fields = EntityFields(of: Invoice.self)
}
