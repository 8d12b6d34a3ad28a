import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `count`, which prints the number of all users or of the users that meet a condition.
struct Count: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Count all users, or the users that meet a condition.",
        discussion: """
            Prints only the number. With --format json, prints an object {"count":…}.

            EXAMPLES
              profile-cli count
              profile-cli count --where 'not mail exists'
            """)

    @OptionGroup(title: "Query Options") var condition: UserConditionOption

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let filter = try condition.filter()
            let count = try await session.withStorage(buildingIndexes: filter != nil) { storage in
                try await storage.users.count(where: filter)
            }
            try await session.mentionMissingStore()
            switch session.format {
            case .text: try Console.write("\(count)")
            case .json: try Console.write(json: ["count": count])
            }
        }
    }
}
