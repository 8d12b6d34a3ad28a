import ArgumentParser

/// The command `store repair-references`, which repairs references to records that do not exist.
struct StoreRepairReferences: ProgramCommand {
    static let help: CommandHelp = """
        repair-references: Repair references to records that do not exist.

        A record that refers to a missing one is deleted or loses the reference, as the reference of its program \
        states. Prints what happens to the records of each reference. With --dry-run, changes nothing.

        EXAMPLES
          profile-cli store repair-references --dry-run
          profile-cli store repair-references --restricted clear
        """

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
        try session.write(lines, json: ["references": lines])
        if lines.isEmpty { session.note("every reference of \(session.location) is to a record that exists") }
    }
}
