import ArgumentParser

/// The command `store purge`, which removes expired records.
struct StorePurge: ProgramCommand {
    static let help: CommandHelp = """
        purge: Remove expired records.

        No read returns an expired record. This command removes expired records of all collections whose programs \
        declare an expiry, in batches, so that other programs can write meanwhile.

        EXAMPLE
          profile-cli store purge
        """

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        // This call fails if no store exists. Opening the store would create it.
        _ = try await session.location.info()
        let count = try await ProgressLine.during { progress in
            try await session.open().records.purge { progress.show($0) }
        }
        try session.report(
            "removed \(count.counted("expired record")) from \(session.location)", json: ["removedCount": count])
    }
}
