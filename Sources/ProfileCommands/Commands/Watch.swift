import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `watch`
struct Watch: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show a user, or those who meet a condition, now and after each change.",
        discussion: """
            Prints what is saved now, and again after each save that changes it, of whichever program. Changes that \
            come faster than they can be written are left out; the last one never is.

            Of a user it is a line with tabs: id, mail address and birthday; of one who is not saved the id alone. \
            With --where it is such a line for each user, as `list` prints them, and an empty line after the last one. \
            With --json each state is one line: a user as an object {"id", "mailAddress", "birthday"}, with "isSaved" \
            false where that is so, or {"users": […]}.

            It goes on until it is interrupted (Ctrl-C) or terminated, or nobody reads any more what it prints, and \
            ends without a word.

            EXAMPLES
              profile-cli watch vision
              profile-cli watch --where 'birthday >= 1990-01-01' --sort mail --json | jq .
            """)

    @Argument(
        help: ArgumentHelp("Whose profile.", discussion: "Default: that of --user.", valueName: "user"),
        completion: UserCompletion.kind)
    var watched: String?

    @OptionGroup var queryOptions: UserQueryOptions

    @Flag(help: "The same as --format json.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if watched != nil, queryOptions.condition != nil {
            throw ArgumentParser.ValidationError("a user and --where exclude each other")
        }
        if queryOptions.condition == nil, queryOptions.sort != nil || queryOptions.limit != nil {
            throw ArgumentParser.ValidationError("--sort and --limit come with --where")
        }
    }

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let format: StoreOptions.Format = json ? .json : session.format
            let query = queryOptions.condition == nil ? nil : try queryOptions.query()
            let id = try watched.map(UserID.init) ?? session.user
            await Interruption.install()
            Interruption.exitOnBrokenPipe()
            try await session.withStorage(buildingIndexes: query != nil) { storage in
                if let query {
                    for try await page in storage.users.updates(matching: query) { try write(page.entities, format) }
                } else {
                    for try await user in storage.users.updates(of: id) { try write(user, id, format) }
                }
            }
            Interruption.exitIfInterrupted()
        }
    }

    private func write(_ user: User?, _ id: UserID, _ format: StoreOptions.Format) throws {
        switch format {
        case .text: try Console.write(user.map(Self.line) ?? id.text)
        case .json: try Console.write(json: UserState(user, id))
        }
    }

    private func write(_ users: [User], _ format: StoreOptions.Format) throws {
        switch format {
        case .text: try Console.write(users.map(Self.line) + [""])
        case .json: try Console.write(json: UsersState(users: users.map(UserOutput.init)))
        }
    }

    private static func line(_ user: User) -> String {
        [user.id.text, user.mailAddress?.text ?? "", user.birthday?.description ?? ""].joined(separator: "\t")
    }
}

/// The state of one user as JSON.
private struct UserState: Encodable {
    let id: String
    let isSaved: Bool
    let mailAddress: String?
    let birthday: String?

    init(_ user: User?, _ id: UserID) {
        self.id = id.text
        isSaved = user != nil
        mailAddress = user?.mailAddress?.text
        birthday = user?.birthday?.description
    }
}

/// The state of several users as JSON.
private struct UsersState: Encodable {
    let users: [UserOutput]
}
