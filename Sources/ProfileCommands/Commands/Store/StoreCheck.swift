import ArgumentParser
import DataStoreQueries
import UserProfileKit

/// The command `store check`, which checks a store and can rebuild its indexes.
struct StoreCheck: ProgramCommand {
    private struct Output: Encodable {
        let store: String
        let isClean: Bool
        let findings: [String]
    }

    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a store for damage.",
        discussion: """
            Reads every page, every record of every collection, and every index. The command changes nothing, and \
            other programs can use the store at the same time. It prints one line for each problem and then exits with \
            74. If the store is not damaged, it prints no line, and standard error reports how many records and \
            indexes were checked.

            With --rebuild-indexes, the command first rebuilds the indexes of all collections, in steps, and builds \
            missing ones. Other programs can use the store at the same time.

            EXAMPLES
              profile-cli store check && profile-cli store backup /backups/profiles
              profile-cli store check --rebuild-indexes
            """)

    @Flag(help: "Rebuild the indexes of all collections first.")
    var rebuildIndexes = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            if rebuildIndexes {
                // This call fails if no store exists. Opening the store would create it.
                _ = try await location.info()
                await Interruption.install()
                let progress = IndexProgress()
                defer { progress.clear() }
                try await session.withStorage { try await $0.records.rebuildIndexes(progress: progress.show) }
                progress.clear()
                Console.error("rebuilt all indexes of \(location)")
            }
            let progress = TransferProgress(of: "record")
            defer { progress.clear() }
            progress.show("checking the file")
            let findings = try await location.check { index, count in
                progress.show(Int64(count), of: nil, in: "checking \(index.map { "the index \($0)" } ?? "the records")")
            }
            progress.clear()
            Interruption.exitIfInterrupted()
            switch session.format {
            case .text: try Console.write(findings.map(Console.printable))
            case .json:
                try Console.write(
                    json: Output(store: location.description, isClean: findings.isEmpty, findings: findings))
            }
            guard findings.isEmpty else {
                Console.error(nextStep(for: findings, location))
                throw ExitCode.inputOutput
            }
            let info = try await location.info()
            let count = Int64(info.recordCounts.values.reduce(0, +)).counted("record")
            let indexes = info.indexes.count == 1 ? "1 index" : "\(info.indexes.count) indexes"
            Console.error("checked \(location): \(count) and \(indexes), no damage found")
        }
    }

    /// Returns a sentence that names the command that repairs the damage.
    private func nextStep(for findings: [String], _ location: StorageLocation) -> String {
        if findings.allSatisfy({ $0.hasPrefix("an entry of the index ") || $0.hasPrefix("the index ") }) {
            return "no record is lost; run profile-cli store check --rebuild-indexes --store \(location)"
        }
        return switch location.kind.scheme {
        case "lmdb": "to copy the intact records, run profile-cli store salvage lmdb:NEW --store \(location)"
        case "plist": "to keep the intact records, run profile-cli store recover --store \(location)"
        default: "restore a backup"
        }
    }
}
