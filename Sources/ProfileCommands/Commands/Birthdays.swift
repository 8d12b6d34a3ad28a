import ArgumentParser

/// The command `birthdays`, which lists upcoming birthdays.
struct Birthdays: ProgramCommand {
    static let help: CommandHelp = """
        birthdays: List upcoming birthdays.

        Prints date, age, id and mail address for each birthday from --from to the end of --within. In years without \
        29 February, a birthday on that day falls on 1 March.

        EXAMPLE
          profile-cli birthdays --within 30d
        """

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of days after --from, e.g. 7d; 0d lists that day only.", valueName: "days"),
        transform: { text in
            guard let match = text.wholeMatch(of: #/([0-9]+)d?/#), let count = Int(match.1) else {
                throw UsageError("\(text.shortened.debugDescription) is not a number of days")
            }
            return count
        })
    var within = 30

    @Option(help: ArgumentHelp("The first day, yyyy-MM-dd (default: today).", valueName: "date"))
    var from: String?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    /// The maximum number of days, ten years. The birthdays of all users in this period fit into memory.
    private static let maximumCount = 3660

    func validate() throws {
        if within > Self.maximumCount { throw UsageError("--within is at most \(Self.maximumCount)d, ten years") }
    }

    func run(in session: Session) async throws {
        let now = Instant.now
        let first = try from.map(CalendarDate.init) ?? now.date(utcOffset: now.localUTCOffset)
        // The date is `nil` only if the system clock has a year outside 1 to 9999.
        guard let first else {
            throw CommandError(.usage, "the system clock has no year 0001 to 9999; set the clock or pass --from")
        }
        let profiles = try await session.open(buildingIndexes: true).profiles
        let birthdays = try await profiles.birthdays(from: first, within: within)
        try await session.mentionMissingStore()
        try session.write(birthdays, in: Table(header: ["date", "age", "id", "mail"], rightAligned: [1])) { birthday in
            ["\(birthday.date)", "\(birthday.age)", birthday.user.id.text, birthday.user.mailAddress?.text ?? ""]
        } json: { birthday in
            [
                "id": birthday.user.id.text, "date": birthday.date.description, "age": birthday.age,
                "mailAddress": birthday.user.mailAddress?.text, "birthday": birthday.user.birthday?.text,
            ]
        }
    }
}
