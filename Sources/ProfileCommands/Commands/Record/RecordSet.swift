import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `record set`, which saves a record that is given as JSON.
struct RecordSet: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Save a record.",
        discussion: """
            Saves a JSON object as the record, and replaces an existing record; see `profile-cli record --help`. \
            Without JSON, or with -, reads it from standard input. A collection that does not exist is created. A \
            record of users must be a valid profile. To save forecasts, use `profile-cli forecast save`.

            EXAMPLES
              profile-cli record set trips kyoto '{"title":"Kyoto","days":3}'
              profile-cli record get trips kyoto | jq -c '.days += 1' | profile-cli record set trips kyoto -
            """)

    @OptionGroup var record: RecordKey

    @Argument(help: ArgumentHelp("The record as JSON; - is standard input.", valueName: "json|-"))
    var json = "-"

    @OptionGroup(title: "Common Options") var options: LocationOptions

    /// The collections whose records `record set` does not save, each with the command that saves them.
    private static let commands = ["weather": "forecast save", "imports": "import"]

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let key = try record.key()
            if let command = Self.commands[key.collection] {
                throw UsageError(
                    message: "record set cannot save records of \(key.collection); use profile-cli \(command)")
            }
            let record = try RecordJSON.record(parsing: InputFile.json(json))
            try await session.withStorage(saving: true) { storage in
                try storage.validate(record, for: key, now: .now)
                try await storage.records.write { try $0.put(record, for: key) }
            }
            session.note("saved the record \(key)")
        }
    }
}
