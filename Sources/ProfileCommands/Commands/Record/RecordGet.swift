import ArgumentParser
import UserProfileKit

/// The command `record get`, which prints a record as JSON.
struct RecordGet: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print a record.",
        discussion: """
            Prints the record as one line of JSON, with its members sorted by name. If the record is not saved, the \
            command prints nothing and exits with 1.

            EXAMPLE
              profile-cli record get trips kyoto
            """)

    @OptionGroup var record: RecordKey

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let key = try record.key()
            try await session.withStorage { storage in
                guard let record = try await storage.records.read({ try $0.record(for: key) }) else {
                    throw try await session.notSaved(
                        "the record \(key) is not saved", in: key.collection, of: storage)
                }
                try Console.write(jsonLines: [RecordJSON.text(.record(record))])
            }
        }
    }
}
