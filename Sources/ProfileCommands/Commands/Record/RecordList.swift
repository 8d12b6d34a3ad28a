import ArgumentParser
import DataStoreCore
import UserProfileKit

/// The command `record list`, which prints the records of a collection as JSON.
struct RecordList: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the records of a collection.",
        discussion: """
            Prints each record as one line of JSON, {"id":…,"record":{…}}, sorted by the bytes of the ids. The members \
            of records are sorted by name. If the collection has no records, the command exits with 1.

            EXAMPLES
              profile-cli record list trips | jq -r .id
              profile-cli record list trips --after kyoto --limit 10
            """)

    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Option(help: ArgumentHelp("List only the records after this id.", valueName: "id"))
    var after: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of records.", valueName: "number"))
    var limit: Int?

    @OptionGroup(title: "Common Options") var options: LocationOptions

    /// The maximum number of records that are read at a time and held in memory.
    private static let pageSize = 1000

    func validate() throws {
        if let limit, limit < 1 { throw ArgumentParser.ValidationError("--limit must be 1 or more, not \(limit)") }
    }

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            try await session.withStorage { storage in
                var (last, remaining) = (after, limit ?? .max)
                while remaining > 0 {
                    let count = min(remaining, Self.pageSize)
                    let scan = try Scan(collection, ids: last.map(IDRange.after) ?? .all, limit: count)
                    let entries = try await storage.records.read { try $0.records(in: scan) }
                    if entries.isEmpty, last == nil {
                        throw try await session.notSaved("no records found", in: collection, of: storage)
                    }
                    try Console.write(
                        jsonLines: entries.map { RecordJSON.text("id", $0.key.id, "record", .record($0.record)) })
                    guard entries.count == count else { break }
                    remaining -= count
                    last = entries.last?.key.id
                }
            }
        }
    }
}
