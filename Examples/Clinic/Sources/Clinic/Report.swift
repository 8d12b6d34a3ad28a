import Foundation
import UserProfileKit

/// The figures of a month.
struct Report: Equatable, Sendable {
    var appointmentCounts: [Doctor.ID?: Int]
    var openAmount: Decimal
    var patientCount: Int
}

extension Clinic {
    /// Reads all figures from one state. A report does not wait for writes, and writes do not wait for it.
    func report(_ period: Range<Date>) async throws -> Report {
        try await storage.snapshot { snapshot in
            Report(
                appointmentCounts: try snapshot.repository(of: Appointment.self)
                    .counts(by: \.doctor, where: .between(\.startsAt, period)),
                openAmount: try snapshot.repository(of: Invoice.self).sum(of: \.amount, where: \.status == .open),
                patientCount: try snapshot.repository(of: Patient.self).count())
        }
    }
}
