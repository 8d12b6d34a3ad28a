import ArgumentParser
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
            Looks at every page and record, by plain reads: a damaged file does no harm, and others may use the store \
            meanwhile. Prints what is wrong, a line each, and ends with 74; it prints nothing where all is well.

            EXAMPLE
              profile-cli store check && profile-cli store backup /backups/profiles
            """)

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Session.run(options) { session in
            let location = session.configuration.store.value
            let findings = try await location.check()
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
