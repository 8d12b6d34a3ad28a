import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// The command `watch`, which prints one user, or the users that meet a condition, and prints them again after each
/// change.
struct Watch: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print one user, or the users that meet a condition, after each change.",
        discussion: """
            Prints the current state, and prints it again after each save by any program that changes it. If changes \
            arrive faster than they can be written, intermediate states are skipped; the last one is always printed.

            A user is one line, separated by tabs: id, mail address and birthday; only the id if the user is not \
            saved. With --where, prints one line for each user, as `list` does, and an empty line after each state. \
            With --json each state is one line: the object that `list` prints, or {"id":…,"isSaved":false} if the user \
            is not saved; with --where, {"users":[…]} with these objects.

            The command runs until it is interrupted (Ctrl-C) or terminated, or until the reader of its output closes \
            the pipe.

            EXAMPLES
              profile-cli watch vision
              profile-cli watch --where 'birthday >= 1990-01-01' --sort mail --json | jq .
            """)

    @Argument(
        help: ArgumentHelp("The id of the user (default: the value of --user).", valueName: "user"),
        completion: UserCompletion.kind)
    var watched: String?

    @OptionGroup(title: "Query Options") var queryOptions: UserQueryOptions

    @Flag(help: "The same as --format json.")
    var json = false

    @OptionGroup(title: "Common Options") var options: UserOptions

    func validate() throws {
        if watched != nil || queryOptions.condition != nil, options.user != nil {
            throw ArgumentParser.ValidationError("--user cannot be combined with a user or --where")
        }
        if watched != nil, queryOptions.condition != nil {
            throw ArgumentParser.ValidationError("a user and --where cannot be combined")
        }
        if queryOptions.condition == nil, queryOptions.sort != nil || queryOptions.limit != nil {
            throw ArgumentParser.ValidationError("--sort and --limit require --where")
        }
    }

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let format: StoreOptions.Format = json ? .json : session.format
            let query = queryOptions.condition == nil ? nil : try queryOptions.query()
            let id = try watched.map(UserID.init(stored:)) ?? session.user
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
        case .text: try Console.write(user.map(Self.line) ?? Console.printable(id.text))
        case .json: try Console.write(jsonLines: [user.map(ProfileWriter.json) ?? Self.missing(id)])
        }
    }

    private func write(_ users: [User], _ format: StoreOptions.Format) throws {
        switch format {
        case .text: try Console.write(users.map(Self.line) + [""])
        case .json:
            let list = users.map(ProfileWriter.json).joined(separator: ",")
            try Console.write(jsonLines: ["{\"users\":[\(list)]}"])
        }
    }

    /// Returns the JSON output for a user that is not saved.
    private static func missing(_ id: UserID) -> String {
        var bytes = Array("{\"id\":".utf8)
        JSONText.append(id.text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self) + ",\"isSaved\":false}"
    }

    private static func line(_ user: User) -> String {
        [user.id.text, user.mailAddress?.text ?? "", user.birthday?.description ?? ""].map(Console.printable)
            .joined(separator: "\t")
    }
}
