import ArgumentParser

/// The command `delete`, which deletes one user or all users that meet a condition.
struct Delete: ProgramCommand {
    static let help: CommandHelp = """
        delete: Delete one user, or all users that meet a condition.

        Deletes the mail address and the birthday of the user, or with --where all users that meet the condition, in \
        one transaction. Asks for confirmation; without a terminal, --yes is required. If no user is found, the \
        command exits with 1. With --dry-run, it lists the users and deletes nothing.

        EXAMPLES
          profile-cli delete --user vision --yes
          profile-cli delete --where 'not mail exists' --dry-run
          profile-cli delete --where 'not mail exists' --yes
        """

    @OptionGroup(title: "Query Options") var condition: UserConditionOption

    @Flag(name: [.long, .customShort("n")], help: "List the users that --where selects, and delete nothing.")
    var dryRun = false

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: UserOptions

    func validate() throws {
        if condition.condition != nil, options.user != nil {
            throw UsageError("--where and --user cannot be combined")
        }
        if dryRun, condition.condition == nil { throw UsageError("--dry-run requires --where") }
    }

    func run(in session: Session) async throws {
        if let filter = try condition.filter() {
            try await deleteUsers(where: filter, session)
        } else {
            try await deleteUser(session)
        }
    }

    private func deleteUser(_ session: Session) async throws {
        let id = session.user
        let users = try await session.open().users
        try await confirmation.confirm(await users.find(id).map { "delete \(Self.description(of: $0))" })
        try await session.requireSaved(users.delete(id), "the user \(id) is not saved")
        session.note("deleted \(id)")
    }

    private func deleteUsers(where filter: Filter<User>, _ session: Session) async throws {
        let users = try await session.open(buildingIndexes: true).users
        let count: Int
        if dryRun {
            count = try await session.write(Query(where: filter), from: users)
        } else {
            let found = confirmation.yes ? 0 : try await users.count(where: filter)
            try await confirmation.confirm(found > 0 ? "delete \(found.counted("user"))" : nil)
            count = try await users.deleteAll(where: filter)
        }
        try await session.requireSaved(count > 0, "no user meets the condition")
        let deleted = count.counted("user")
        if dryRun { return Console.note("\(deleted) would be deleted; nothing was changed") }
        try session.report("deleted \(deleted)", json: ["deletedCount": count])
    }

    private static func description(of user: User) -> String {
        let values = [user.mailAddress?.text, user.birthday?.description].compactMap(\.self)
        return values.isEmpty ? "the user \(user.id)" : "the user \(user.id) (\(values.joined(separator: ", ")))"
    }
}
