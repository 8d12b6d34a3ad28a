import DataStoreCore
import Foundation
import UserProfileKit

/// Copies a store to another one. The step is the complete copy.
struct CopyScenario: Scenario {
    let name: String
    private let source: @Sendable (_ folder: String) -> StorageLocation
    private let target: @Sendable (_ folder: String) -> StorageLocation
    /// The contents of the target that the copy replaces.
    private let replaced: Workload?
    private let workload: Workload

    init(
        _ name: String, from source: @escaping @Sendable (String) -> StorageLocation,
        to target: @escaping @Sendable (String) -> StorageLocation, replacing replaced: Workload? = nil,
        _ workload: Workload
    ) {
        self.name = name
        self.source = { source("\($0)/source") }
        self.target = { target("\($0)/target") }
        self.replaced = replaced
        self.workload = workload
    }

    func prepare(_ folder: String) async throws {
        try await fill(source(folder), workload)
        if let replaced { try await fill(target(folder), replaced) }
    }

    private func fill(_ location: StorageLocation, _ workload: Workload) async throws {
        let store = try await location.open()
        try await closing(store) { try await workload.run(store) { _ in } }
    }

    func run(_ folder: String) async throws {
        try await source(folder).copy(to: target(folder), replacing: replaced != nil)
        Recording.acknowledge(1)
    }

    func stepCount(in folder: String) async throws -> Int {
        guard try await isComplete(source(folder), workload) else { throw Damage("the source has changed") }
        if try await isComplete(target(folder), workload) { return 1 }
        guard let replaced else { return 0 }
        guard try await isComplete(target(folder), replaced) else { throw Damage("the target is empty") }
        return 0
    }

    func proceed(in folder: String) async throws {
        try await source(folder).copy(to: target(folder), replacing: true)
        guard try await stepCount(in: folder) == 1 else { throw Damage("the copy is missing") }
    }

    /// Returns whether a store has all steps, or `false` if it is empty or another workload has all of its steps.
    private func isComplete(_ location: StorageLocation, _ workload: Workload) async throws -> Bool {
        let store = try await location.open()
        let isEmpty = try await closing(store) { try await store.read { try $0.collections().isEmpty } }
        if isEmpty { return false }
        let findings = try await location.check()
        if !findings.isEmpty { throw Damage("\(location): \(findings)") }
        let other = try await location.open()
        return try await closing(other) {
            do {
                return try await workload.stepCount(in: other) == workload.totalStepCount
            } catch let damage as Damage {
                // The store may still have the contents that the copy replaces.
                guard replaced != nil else { throw damage }
                return false
            }
        }
    }
}
