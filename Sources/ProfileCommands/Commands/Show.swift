import ArgumentParser

/// The command `show`, which prints a user.
struct Show: ProgramCommand {
    static let help: CommandHelp = """
        show: Show the profile of a user.

        Prints the user, the mail address and the birthday. If the user is not saved, the command exits with 1.

        EXAMPLE
          profile-cli show --user vision --json
        """

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        let id = session.user
        let user = try await session.requireSaved(session.open().users.find(id), "the user \(id) is not saved")
        let now = Instant.now
        try session.write(user, today: now.date(utcOffset: now.localUTCOffset))
    }
}
