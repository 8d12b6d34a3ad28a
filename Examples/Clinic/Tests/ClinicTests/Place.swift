import DataStoreCore
import Foundation
import UserProfileKit
import UserProfileSealing

@testable import Clinic

/// A kind of store on which each test runs.
enum Place: String, CaseIterable, Sendable {
    case memory, plist, lmdb

    /// Passes the location of a new store and the keys of its sealed fields to a test.
    func withStore(_ body: (StorageLocation, StoreKeys) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let key = directory.appending(path: "key").path
        try SealingKey.random(number: 1).write(toNewFileAt: key)
        let location = try StorageLocation(
            "\(rawValue):\(directory.path)/store", kinds: [SharedMemory()] + .local.filter { $0.scheme != "memory" })
        try await body(location, .source(.file(key)))
    }

    /// Passes a clinic with a doctor and a patient to a test.
    func withClinic(_ body: (Clinic, Patient) async throws -> Void) async throws {
        try await withStore { location, keys in
            let clinic = try await Clinic.open(location, keys: keys)
            let ada = Patient(
                id: UUID(), name: "Ada", mail: try MailAddress("ada@example.com"), diagnosis: "fractured wrist")
            try await clinic.storage.repository(of: Doctor.self).save(Doctor(id: 7, name: "Holm"))
            try await clinic.storage.repository(of: Patient.self).save(ada)
            try await body(clinic, ada)
            await clinic.storage.close()
        }
    }
}

/// A store in memory that one storage after the other opens, as programs open a file.
struct SharedMemory: StoreKind {
    let scheme = "memory"
    let store = MemoryDataStore()

    func address(from text: String) -> String { text }
    func open(at address: String, report: (@Sendable (String) -> Void)?) -> any DataStore { store }
    func dataFile(at address: String) -> String? { nil }
}
