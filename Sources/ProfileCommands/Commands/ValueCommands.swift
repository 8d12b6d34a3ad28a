import ArgumentParser

/// The command `set-mail`, which saves a user's mail address.
struct SetMail: ProgramCommand {
    static let help: CommandHelp = """
        set-mail: Save the mail address of a user.

        The address is saved as typed; letters of any script are allowed. The birthday does not change.

        EXAMPLE
          profile-cli set-mail vision@example.com
        """

    @Argument(help: "The mail address, e.g. vision@example.com.")
    var address: String

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        let address = try MailAddress(address)
        try await session.save("mail address") { try await $0.saveMailAddress(address, of: $1) }
    }
}

/// The command `get-mail`, which prints a user's mail address.
struct GetMail: ProgramCommand {
    static let help: CommandHelp = """
        get-mail: Print the mail address of a user.

        Prints only the address, for use in scripts. If the user has no mail address, the command exits with 1.

        EXAMPLE
          mail -s hello "$(profile-cli get-mail)"
        """

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        try await session.show("mail address", as: "mailAddress") { try await $0.mailAddress(of: session.user)?.text }
    }
}

/// The command `clear-mail`, which removes a user's mail address.
struct ClearMail: ProgramCommand {
    static let help: CommandHelp = """
        clear-mail: Remove the mail address of a user.

        Keeps the user and the birthday. If the user has no mail address, the command exits with 1.

        EXAMPLE
          profile-cli clear-mail --user vision
        """

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        try await session.clear("mail address") { try await $0.clearMailAddress(of: session.user) }
    }
}

/// The command `set-birthday`, which saves a user's birthday.
struct SetBirthday: ProgramCommand {
    static let help: CommandHelp = """
        set-birthday: Save the birthday of a user.

        The date has the form yyyy-MM-dd and must not be in the future. The mail address does not change.

        EXAMPLE
          profile-cli set-birthday 2011-08-01
        """

    @Argument(help: "The date, yyyy-MM-dd.")
    var date: String

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        let birthday = try Birthday(date)
        try await session.save("birthday") { try await $0.saveBirthday(birthday, of: $1, now: .now) }
    }
}

/// The command `get-birthday`, which prints a user's birthday.
struct GetBirthday: ProgramCommand {
    static let help: CommandHelp = """
        get-birthday: Print the birthday of a user.

        Prints only the date, yyyy-MM-dd. If the user has no birthday, the command exits with 1.

        EXAMPLE
          profile-cli get-birthday --user vision
        """

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        try await session.show("birthday", as: "birthday") { try await $0.birthday(of: session.user)?.text }
    }
}

/// The command `clear-birthday`, which removes a user's birthday.
struct ClearBirthday: ProgramCommand {
    static let help: CommandHelp = """
        clear-birthday: Remove the birthday of a user.

        Keeps the user and the mail address. If the user has no birthday, the command exits with 1.

        EXAMPLE
          profile-cli clear-birthday --user vision
        """

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        try await session.clear("birthday") { try await $0.clearBirthday(of: session.user) }
    }
}

extension Session {
    /// Saves a value of the user.
    fileprivate func save(_ name: String, _ body: (UserUseCase, UserID) async throws -> Void) async throws {
        let user = try savedUser
        try await body(open(saving: true).profiles, user)
        note("saved the \(name) of \(user)")
    }

    /// Prints a value of the user.
    fileprivate func show(
        _ name: String, as member: String, _ body: (UserUseCase) async throws -> String?
    ) async throws {
        let value = try await requireSaved(body(open().profiles), "no \(name) is saved for \(user)")
        try write([Console.isTerminal ? value.printable : value], json: [member: value])
    }

    /// Removes a value of the user. The closure returns whether the value was saved.
    fileprivate func clear(_ name: String, _ body: (UserUseCase) async throws -> Bool) async throws {
        try await requireSaved(body(open().profiles), "no \(name) is saved for \(user)")
        note("removed the \(name) of \(user)")
    }
}
