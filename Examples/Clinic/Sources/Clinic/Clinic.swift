import Foundation
import UserProfileKit

/// What the staff of a clinic does.
struct Clinic: Sendable {
    enum Refusal: Error { case slotIsTaken, holdHasExpired }

    let storage: UserProfileStorage

    static func open(_ location: StorageLocation, keys: StoreKeys) async throws -> Clinic {
        Clinic(
            storage: try await UserProfileStorage.open(
                location, entities: EntityType.clinic, migrations: Migration.clinic, keys: keys))
    }

    /// Keeps a time free while a patient decides. The hold ends on its own.
    func hold(_ doctor: Doctor.ID, at start: Date, until end: Date) async throws -> Hold {
        let hold = Hold(id: UUID(), doctor: doctor, startsAt: start, endsAt: end)
        do {
            try await storage.unitOfWork.perform { work in
                let booked = try work.repository(of: Appointment.self)
                if try booked.exists(where: \.doctor == doctor && \.startsAt == start) { throw Refusal.slotIsTaken }
                try work.repository(of: Hold.self).insert(hold)
            }
        } catch let error as RepositoryError where error.conflict?.collection == "holds" {
            throw Refusal.slotIsTaken
        }
        return hold
    }

    /// Makes an appointment and an invoice of a hold: all of them change, or none.
    func book(_ hold: Hold.ID, for patient: Patient.ID, amount: Decimal) async throws -> Appointment {
        try await storage.unitOfWork.perform { work in
            let holds = try work.repository(of: Hold.self)
            guard let slot = try holds.find(hold) else { throw Refusal.holdHasExpired }
            let appointment = Appointment(id: UUID(), patient: patient, doctor: slot.doctor, startsAt: slot.startsAt)
            try work.repository(of: Appointment.self).insert(appointment)
            try work.repository(of: Invoice.self).insert(Invoice(id: UUID(), patient: patient, amount: amount))
            try holds.delete(hold)
            return appointment
        }
    }
}
