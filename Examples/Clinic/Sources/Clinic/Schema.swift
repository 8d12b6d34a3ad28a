import UserProfileKit
import UserProfileSealing

extension EntityType {
    /// What the clinic stores. The store keeps these declarations, so every program that uses it follows them.
    static var clinic: [EntityType] {
        [
            EntityType(Doctor.self, in: "doctors"),
            EntityType(
                Patient.self, in: "patients", indexes: [.on(\.name), .unique(\.mail)],
                sealing: [.searchable(\.mail), .opaque(\.diagnosis)]),
            EntityType(
                Appointment.self, in: "appointments", indexes: [.unique(\.doctor, \.startsAt), .on(\.startsAt)],
                references: [
                    .to("patients", by: \.patient, onDelete: .cascade), .to("doctors", by: \.doctor, onDelete: .clear),
                ]),
            EntityType(
                Hold.self, in: "holds", indexes: [.unique(\.doctor, \.startsAt)],
                references: [.to("doctors", by: \.doctor, onDelete: .cascade)], expiresAt: \.endsAt),
            EntityType(
                Invoice.self, in: "invoices", indexes: [.on(\.status, \.amount)],
                references: [.to("patients", by: \.patient, onDelete: .restrict)]),
        ]
    }
}

extension Migration {
    /// Version 1 had the property `fullName` of a patient, the amount of an invoice as a `Double`, and no status.
    /// Append to this list; never remove, rename or reorder.
    static var clinic: [Migration] {
        [
            .renameField("2026-10 name", of: "patients", "fullName", to: "name"),
            .convert("2026-10 amount", of: "invoices", "amount") { value in
                guard case .real(let amount) = value else { return value }
                return .string("\(amount)")  // A Decimal is stored as text.
            },
            .backfill("2026-11 status", of: "invoices", "status", with: .string("paid")),
        ]
    }
}
