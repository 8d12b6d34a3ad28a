import Foundation
import Observation
import UserProfileKit

/// The screen of one day, which follows every change by any program.
@Observable @MainActor
final class DayModel {
    let appointments: LiveQuery<Appointment>
    let openAmount: LiveValue<Decimal>

    init(_ day: Range<Date>, in storage: UserProfileStorage) throws {
        appointments = LiveQuery(
            Query(where: .between(\.startsAt, day), sort: [.ascending(\.startsAt)]),
            in: try storage.repository(of: Appointment.self))
        openAmount = LiveValue(
            0,
            storage.updates { snapshot in
                try snapshot.repository(of: Invoice.self).sum(of: \.amount, where: \.status == .open)
            })
    }
}

/// The form of a patient. Each input is saved; a rejected one stays in its field.
@Observable @MainActor
final class PatientModel {
    let mail: Bound<String>

    init(_ id: Patient.ID, in storage: UserProfileStorage) throws {
        let patients = try storage.repository(of: Patient.self)
        mail = Bound(id, in: patients) {
            $0?.mail.text ?? ""
        } save: { text in
            let mail = try MailAddress(text)
            try await patients.update(id) { $0?.mail = mail }
        }
    }
}
