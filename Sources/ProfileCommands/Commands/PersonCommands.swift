import ArgumentParser
import UserProfileKit

/// The option that selects the settings of a user.
struct SettingsPrefixOption: ParsableArguments {
    @Option(help: ArgumentHelp("Include the settings whose group has a name with this prefix.", valueName: "prefix"))
    var settingsPrefix: String?
}

/// The command `erase`, which deletes a user and everything that belongs to the user.
struct Erase: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete a user and everything that belongs to the user.",
        discussion: """
            Deletes the user, and the records of all programs that declare the user as their owner, in one \
            transaction. Asks for confirmation; without a terminal, --yes is required. If nothing belongs to the user, \
            the command exits with 1. Deleted values may remain in free pages of an LMDB file until `store compact`, \
            and in backups.

            EXAMPLES
              profile-cli export --user vision --everything vision.jsonl
              profile-cli erase --user vision --yes
            """)

    @OptionGroup var settings: SettingsPrefixOption

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        let user = session.user
        try confirmation.confirm("erase everything of the user \(user)")
        let recordCounts = try await session.withStorage { storage in
            try await storage.erase(user, settingsPrefix: settings.settingsPrefix)
        }
        guard !recordCounts.isEmpty else {
            throw try await session.nothingSaved("nothing of the user \(user) is saved")
        }
        let counts = recordCounts.sorted { $0.key < $1.key }
        try session.write(
            counts.map { "\($0.value) in \($0.key)" },
            json: ["recordCounts": .object(Dictionary(counts.map { ($0.key, .count($0.value)) }) { $1 })])
        guard session.format == .text else { return }
        Console.note("erased the user \(user); unused parts of the file may contain deleted values")
    }
}

/// The command `store purge`, which removes expired records.
struct StorePurge: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Remove expired records.",
        discussion: """
            No read returns an expired record. This command removes expired records of all collections whose programs \
            declare an expiry, in batches, so that other programs can write meanwhile.

            EXAMPLE
              profile-cli store purge
            """)

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        // This call fails if no store exists. Opening the store would create it.
        _ = try await session.location.info()
        let count = try await ProgressLine.during { progress in
            try await session.withStorage { storage in
                try await storage.records.purge { progress.show($0, outOf: nil) }
            }
        }
        try session.report(
            "removed \(Int64(count).counted("expired record")) from \(session.location)",
            json: ["removedCount": .count(count)])
    }
}

/// The command `store repair-references`, which repairs references to records that do not exist.
struct StoreRepairReferences: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair-references", abstract: "Repair references to records that do not exist.",
        discussion: """
            A record that refers to a missing one is deleted or loses the reference, as the reference of its program \
            states. Prints what happens to the records of each reference. With --dry-run, changes nothing.

            EXAMPLES
              profile-cli store repair-references --dry-run
              profile-cli store repair-references --restricted clear
            """)

    @Option(
        help: ArgumentHelp(
            "What happens to records whose reference restricts deletions: restrict (nothing), cascade or clear.",
            valueName: "rule"),
        completion: .list(["restrict", "cascade", "clear"]),
        transform: { text in
            guard let rule = Reference.DeletionRule(rawValue: text) else {
                throw UsageError("\(text.debugDescription) is not restrict, cascade or clear")
            }
            return rule
        })
    var restricted = Reference.DeletionRule.restrict

    @Flag(name: [.long, .customShort("n")], help: "Print the broken references without changing the store.")
    var dryRun = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let lines = try await session.location.repairReferences(restricted: restricted, dryRun: dryRun)
        try session.write(lines, json: ["references": .array(lines.map(Value.string))])
        if lines.isEmpty { session.note("every reference of \(session.location) is to a record that exists") }
    }
}
