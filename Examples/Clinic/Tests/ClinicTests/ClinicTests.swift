import DataStoreCore
import Foundation
import Testing
import UserProfileKit
import UserProfileSealing

@testable import Clinic

@Suite(.timeLimit(.minutes(1))) struct ClinicTests {
    static let monday = Date(timeIntervalSince1970: 1_800_000_000)
    static let day = monday..<monday.addingTimeInterval(86_400)

    @Test(arguments: Place.allCases)
    func holdBecomesAnAppointment(_ place: Place) async throws {
        try await place.withClinic { clinic, ada in
            let hold = try await clinic.hold(7, at: Self.monday, until: .distantFuture)
            await #expect(throws: Clinic.Refusal.slotIsTaken) {
                try await clinic.hold(7, at: Self.monday, until: .distantFuture)
            }
            let appointment = try await clinic.book(hold.id, for: ada.id, amount: 80)
            #expect(appointment.doctor == 7 && appointment.patient == ada.id)
            await #expect(throws: Clinic.Refusal.slotIsTaken) {
                try await clinic.hold(7, at: Self.monday, until: .distantFuture)
            }
            #expect(try await clinic.storage.repository(of: Hold.self).count() == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func holdExpires(_ place: Place) async throws {
        try await place.withClinic { clinic, ada in
            let expired = try await clinic.hold(7, at: Self.monday, until: .distantPast)
            await #expect(throws: Clinic.Refusal.holdHasExpired) {
                try await clinic.book(expired.id, for: ada.id, amount: 80)
            }
            _ = try await clinic.hold(7, at: Self.monday, until: .distantFuture)
        }
    }

    @Test(arguments: Place.allCases)
    func bookingFailsAsAWhole(_ place: Place) async throws {
        try await place.withClinic { clinic, _ in
            let hold = try await clinic.hold(7, at: Self.monday, until: .distantFuture)
            let error = await #expect(throws: RepositoryError.self) {
                try await clinic.book(hold.id, for: UUID(), amount: 80)
            }
            #expect(error?.conflict?.collection == "patients")
            #expect(try await clinic.storage.repository(of: Appointment.self).count() == 0)
            #expect(try await clinic.storage.repository(of: Hold.self).exists(hold.id))
        }
    }

    @Test(arguments: Place.allCases)
    func referencesFollowTheirRules(_ place: Place) async throws {
        try await place.withClinic { clinic, ada in
            let appointments = try clinic.storage.repository(of: Appointment.self)
            let patients = try clinic.storage.repository(of: Patient.self)
            let hold = try await clinic.hold(7, at: Self.monday, until: .distantFuture)
            let appointment = try await clinic.book(hold.id, for: ada.id, amount: 80)
            // clear: two appointments without a doctor may start at the same time.
            try await appointments.save(Appointment(id: UUID(), patient: ada.id, doctor: nil, startsAt: Self.monday))
            try await clinic.storage.repository(of: Doctor.self).delete(7)
            #expect(try await appointments.find(appointment.id)?.doctor == nil)
            // restrict
            let error = await #expect(throws: RepositoryError.self) { try await patients.delete(ada.id) }
            #expect(error?.code == .conflict)
            // cascade
            try await clinic.storage.repository(of: Invoice.self).deleteAll(where: \.patient == ada.id)
            try await patients.delete(ada.id)
            #expect(try await appointments.count() == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func personalDataAreSealed(_ place: Place) async throws {
        try await place.withClinic { clinic, ada in
            let patients = try clinic.storage.repository(of: Patient.self)
            #expect(try await patients.find(Query(where: \.mail == ada.mail)).entities == [ada])
            let record = try await clinic.storage.records.read { transaction in
                try transaction.record(for: Key(collection: "patients", id: ada.id.uuidString))
            }
            #expect(record?["name"] == .string("Ada"))
            #expect(record?["diagnosis"] != .string("fractured wrist"))
        }
    }

    @Test(arguments: Place.allCases)
    func reportIsOneState(_ place: Place) async throws {
        try await place.withClinic { clinic, ada in
            for hour in 0..<3 {
                let start = Self.monday.addingTimeInterval(Double(hour) * 3600)
                let hold = try await clinic.hold(7, at: start, until: .distantFuture)
                _ = try await clinic.book(hold.id, for: ada.id, amount: 80)
            }
            let report = try await clinic.report(Self.day)
            #expect(report == Report(appointmentCounts: [7: 3], openAmount: 240, patientCount: 1))
        }
    }

    @MainActor @Test(arguments: Place.allCases)
    func screensFollow(_ place: Place) async throws {
        try await place.withClinic { clinic, ada in
            let day = try DayModel(Self.day, in: clinic.storage)
            let form = try PatientModel(ada.id, in: clinic.storage)
            let hold = try await clinic.hold(7, at: Self.monday, until: .distantFuture)
            let appointment = try await clinic.book(hold.id, for: ada.id, amount: 80)
            try await until { day.appointments.entities == [appointment] && day.openAmount.value == 80 }
            try await until { form.mail.value == "ada@example.com" }
            form.mail.value = "ada@"
            try await until { form.mail.error != nil }
            form.mail.value = "countess@example.com"
            let patients = try clinic.storage.repository(of: Patient.self)
            try await until { try await patients.find(ada.id)?.mail.text == "countess@example.com" }
            try await until { form.mail.error == nil }
            #expect(form.mail.value == "countess@example.com")
        }
    }

    @Test(arguments: Place.allCases)
    func versionOneIsMigrated(_ place: Place) async throws {
        let ada = VersionOne.Patient(id: UUID(), fullName: "Ada", mail: try MailAddress("ada@example.com"))
        let invoice = VersionOne.Invoice(id: UUID(), patient: ada.id, amount: 79.5)
        try await place.withStore { location, keys in
            let old = try await UserProfileStorage.open(location, entities: VersionOne.entities)
            try await old.repository(of: VersionOne.Patient.self).save(ada)
            try await old.repository(of: VersionOne.Invoice.self).save(invoice)
            // A store in memory ends when it is closed.
            if place != .memory { await old.close() }
            let storage = try await Clinic.open(location, keys: keys).storage
            let patient = try await storage.repository(of: Patient.self).find(ada.id)
            #expect(patient == Patient(id: ada.id, name: "Ada", mail: ada.mail))
            #expect(try await storage.repository(of: Invoice.self).find(invoice.id)?.amount == 79.5)
            #expect(try await storage.repository(of: Invoice.self).find(invoice.id)?.status == .paid)
            await storage.close()
        }
    }
}

/// Waits until a condition is met. The time limit of the suite ends a wait in vain.
func until(_ isMet: () async throws -> Bool) async throws {
    while try await !isMet() { try await Task.sleep(for: .milliseconds(1)) }
}

/// The entities as the first version of the program declared them.
enum VersionOne {
    struct Patient: Codable, Identifiable, Sendable {
        let id: UUID
        var fullName: String
        var mail: MailAddress
    }

    struct Invoice: Codable, Identifiable, Sendable {
        let id: UUID
        var patient: UUID
        var amount: Double
    }

    static let entities = [EntityType(Patient.self, in: "patients"), EntityType(Invoice.self, in: "invoices")]
}
