import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `set-birthday`, which saves a user's birthday.
struct SetBirthday: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-birthday",
        abstract: "Save the birthday of a user.",
        discussion: """
            The date has the form yyyy-MM-dd and must not be in the future. The mail address does not change.

            EXAMPLE
              profile-cli set-birthday 2011-08-01
            """)

    @Argument(help: "The date, yyyy-MM-dd.")
    var date: String

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let birthday = try Birthday(date)
            let user = try session.savedUser
            try await session.withStorage(saving: true) { storage in
                try await storage.profiles.saveBirthday(birthday, of: user, now: .now)
            }
            session.note("saved the birthday of \(user)")
        }
    }
}

/// The command `get-birthday`, which prints a user's birthday.
struct GetBirthday: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get-birthday",
        abstract: "Print the birthday of a user.",
        discussion: """
            Prints only the date, yyyy-MM-dd. If the user has no birthday, the command prints nothing and exits with \
            1.

            EXAMPLE
              profile-cli get-birthday --user vision
            """)

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let user = session.user
            guard let birthday = try await session.withStorage({ try await $0.profiles.birthday(of: user) }) else {
                throw try await session.nothingSaved("no birthday is saved for \(user)")
            }
            switch session.format {
            case .text: try Console.write(birthday.description)
            case .json: try Console.write(json: ["birthday": birthday.description])
            }
        }
    }
}

/// The command `clear-birthday`, which removes a user's birthday.
struct ClearBirthday: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-birthday",
        abstract: "Remove the birthday of a user.",
        discussion: """
            Keeps the user and the mail address. If the user has no birthday, the command exits with 1.

            EXAMPLE
              profile-cli clear-birthday --user vision
            """)

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let user = session.user
            guard try await session.withStorage({ try await $0.profiles.clearBirthday(of: user) }) else {
                throw try await session.nothingSaved("no birthday is saved for \(user)")
            }
            session.note("removed the birthday of \(user)")
        }
    }
}

/// The command `birthdays`, which lists upcoming birthdays.
struct Birthdays: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "birthdays",
        abstract: "List upcoming birthdays.",
        discussion: """
            Prints one line for each birthday from --from to the end of --within, sorted by date: the date, the age, \
            the id and the mail address. A period of several years lists a user several times. In years without \
            29 February, a birthday on that day falls on 1 March. With --format json each line is a JSON object.

            EXAMPLE
              profile-cli birthdays --within 30d
            """)

    /// A command-line argument that contains a number of days, e.g. `30` or `30d`.
    struct Days: ExpressibleByArgument {
        let count: Int

        init(count: Int) { self.count = count }

        init?(argument: String) {
            let digits = argument.hasSuffix("d") ? argument.dropLast() : argument[...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits)
            else {
                return nil
            }
            self.count = count
        }

        var defaultValueDescription: String { "\(count)d" }
    }

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of days after --from; 0d lists that day only.", valueName: "days"))
    var within = Days(count: 30)

    @Option(help: ArgumentHelp("The first day, yyyy-MM-dd (default: today).", valueName: "date"))
    var from: String?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    /// The maximum number of days, ten years. The birthdays of all users in this period fit into memory.
    private static let maximumCount = 3660

    func validate() throws {
        if within.count > Self.maximumCount {
            throw ArgumentParser.ValidationError("--within is at most \(Self.maximumCount)d, ten years")
        }
    }

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let now = Instant.now
            let first = try from.map(CalendarDate.init) ?? now.date(utcOffset: now.localUTCOffset)
            // The date is `nil` only if the system clock has a year outside 1 to 9999.
            guard let first else {
                throw UsageError(message: "the system clock has no year 0001 to 9999; set the clock or pass --from")
            }
            let birthdays = try await session.withStorage(buildingIndexes: true) { storage in
                try await storage.profiles.birthdays(from: first, within: within.count)
            }
            try await session.mentionMissingStore()
            switch session.format {
            case .text:
                var table = Table(header: ["date", "age", "id", "mail"], rightAligned: [1])
                for birthday in birthdays {
                    let user = birthday.user
                    table.add(["\(birthday.date)", "\(birthday.age)", user.id.text, user.mailAddress?.text ?? ""])
                }
                try Console.write(table.lines(aligned: Console.isTerminal, width: Console.outputWidth))
            case .json: try Console.write(json: birthdays.map(BirthdayOutput.init))
            }
        }
    }
}

/// The JSON output for an upcoming birthday. Missing values are omitted.
private struct BirthdayOutput: Encodable {
    let id: String
    let mailAddress: String?
    let birthday: String?
    let date: String
    let age: Int

    init(_ upcoming: UpcomingBirthday) {
        id = upcoming.user.id.text
        mailAddress = upcoming.user.mailAddress?.text
        birthday = upcoming.user.birthday?.description
        date = upcoming.date.description
        age = upcoming.age
    }
}
