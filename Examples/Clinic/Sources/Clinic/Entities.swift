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

/// A booked time of a doctor. It remains when the doctor leaves, so that another doctor can take it over.
struct Appointment: Codable, Identifiable, Hashable, Sendable, Queryable {
    let id: UUID
    let patient: Patient.ID
    var doctor: Doctor.ID?
    var startsAt: Date

    static let fields = EntityFields(of: Appointment.self)
}

/// A time of a doctor that is reserved for one patient until `endsAt`.
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
