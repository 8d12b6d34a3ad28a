import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import Foundation
import UserProfileKit

/// Saves to a store, which the first save creates.
struct StoreScenario: Scenario {
    enum Kind: Sendable {
        case durable, consistent
        case xml, binary
    }

    let name: String
    private let kind: Kind
    private let workload: Workload

    /// Until it is closed, a consistent store does not promise that a commit is durable.
    var unneededSyncs: Set<String> { kind == .consistent ? ["O_DSYNC data.mdb"] : [] }

    init(_ name: String, _ kind: Kind, _ workload: Workload) {
        self.name = name
        self.kind = kind
        self.workload = workload
    }

    func prepare(_ folder: String) {}

    func run(_ folder: String) async throws {
        let store = try open(folder)
        let isDurable = kind != .consistent
        try await workload.run(store) { step in
            if isDurable { Recording.acknowledge(step) }
            if let store = store as? LMDBDataStore { try Self.read(store, depth: 8) }
        }
        await store.close()
        // Closing makes everything durable.
        Recording.acknowledge(workload.totalStepCount)
    }

    /// Begins nested reads, so that the lock file has readers in more than one sector.
    private static func read(_ store: LMDBDataStore, depth: Int) throws {
        if depth > 0 { try store.read { _ in try read(store, depth: depth - 1) } }
    }

    func stepCount(in folder: String) async throws -> Int {
        let store = try open(folder)
        return try await closing(store) {
            // Reading a damaged file through liblmdb could end the process. A check also reports a data file without a
            // commit, which is not damage.
            if let store = store as? LMDBDataStore, FileManager.default.fileExists(atPath: "\(store.path)/lock.mdb"),
                FileManager.default.contents(atPath: "\(store.path)/data.mdb")?.isEmpty == false
            {
                let findings = try await StorageLocation.lmdb(store.path).check()
                guard findings.isEmpty else { throw Damage("\(findings)") }
            }
            return try await workload.stepCount(in: store)
        }
    }

    func proceed(in folder: String) async throws {
        let before = try await stepCount(in: folder)
        let store = try open(folder)
        try await closing(store) { try await workload.proceed(in: store) }
        guard try await stepCount(in: folder) == before else { throw Damage("another save has changed the steps") }
    }

    private func open(_ folder: String) throws -> any DataStore {
        // The directories of the store do not exist, either.
        let path = "\(folder)/programs/mine/store"
        return switch kind {
        case .durable: try LMDBDataStore(path: path)
        case .consistent: try LMDBDataStore(path: path, options: .init(durability: .consistent))
        case .xml: try PlistDataStore(path: path)
        case .binary: try PlistDataStore(path: path, format: .binary)
        }
    }
}

/// Runs a closure, and closes the store however it ends.
func closing<Result>(_ store: any DataStore, _ body: () async throws -> Result) async throws -> Result {
    do {
        let result = try await body()
        await store.close()
        return result
    } catch {
        await store.close()
        throw error
    }
}
