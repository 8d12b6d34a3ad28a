import ArgumentParser
import UserProfileKit

/// The command `record delete`, which deletes a record.
struct RecordDelete: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a record.",
        discussion: """
            If standard input is a terminal, the command asks for confirmation unless --yes is given. If the record is \
            not saved, or the answer is not y or yes, it exits with 1.

            EXAMPLE
              profile-cli record delete trips kyoto
            """)

    @OptionGroup var record: RecordKey

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let key = try record.key()
            try await session.withStorage { storage in
                if !yes, Console.isInputTerminal, try await storage.records.read({ try $0.record(for: key) }) != nil {
                    guard Console.confirms("delete the record \(key)?") else {
                        throw NothingSaved(message: "nothing was deleted")
                    }
                }
                guard try await storage.records.write({ try $0.remove(key) }) else {
                    throw try await session.notSaved(
                        "the record \(key) is not saved", in: key.collection, of: storage)
                }
            }
            session.note("deleted the record \(key)")
        }
    }
}
