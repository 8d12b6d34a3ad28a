import ArgumentParser
import DataStoreQueries
import Foundation
import UserProfileKit

/// `store check`
struct StoreCheck: AsyncParsableCommand {
    private struct Output: Encodable {
        let store: String
        let isClean: Bool
        let findings: [String]
    }

    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that nothing in a store is damaged.",
        discussion: """
            Looks at every page and record, and at the indexes that users and forecasts are found by, by plain reads: a damaged \
            file does no harm, and others may use the store meanwhile. Prints what is wrong, a line each, and ends with 74; it \
            prints nothing where all is well.

            With --rebuild-indexes all indexes are made again first, whatever is there of them, while others use the store. That \
            is also how those are made that a store of many users has not yet.

            EXAMPLES
              profile-cli store check && profile-cli store backup /backups/profiles
              profile-cli store check --rebuild-indexes
            """)

    @Flag(help: "Make all indexes again first.")
    var rebuildIndexes = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Session.run(options) { session in
            let location = session.configuration.store.value
            if rebuildIndexes {
                // Says where there is no store to work on, and opening one would make it.
                _ = try await location.info()
                await Interruption.arm()
                let progress = IndexProgress()
                defer { progress.clear() }
                try await session.withStorage { try await $0.records.rebuildIndexes(progress: progress.show) }
                session.note("made all indexes of \(location) again")
            }
            let findings = try await location.check()
            Interruption.endIfInterrupted()
            switch session.format {
            case .text: try Console.write(findings.map(Console.printable))
            case .json:
                try Console.write(
                    json: Output(store: location.description, isClean: findings.isEmpty, findings: findings))
            }
            if !findings.isEmpty { throw ExitCode(EX_IOERR) }
            session.note("\(location) is whole")
        }
    }
}
