import ArgumentParser

/// The command `record`, which contains the subcommands for records.
struct RecordCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Read and change the records of any collection.",
        discussion: """
            A store has the collections users, weather and settings, and those of other programs; `store info` lists \
            them. A record is a JSON object. Values that JSON lacks are objects with a single member:

              {"$date":"2026-11-21T17:00:00Z"}  a point in time
              {"$data":"AQID"}                  bytes, in base64
              {"$real":"infinity"}              also -infinity and nan

            EXAMPLES
              profile-cli record list trips
              profile-cli record set trips kyoto '{"title":"Kyoto","days":3}'
              profile-cli record get trips kyoto | jq .title
            """,
        subcommands: [RecordGet.self, RecordList.self, RecordSet.self, RecordDelete.self])
}

/// The command-line arguments that identify a record: its collection and its id.
struct RecordKey: ParsableArguments {
    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Argument(help: "The id of the record.")
    var id: String

    /// Returns the key of the record that the arguments identify.
    ///
    /// - Throws: `DataStoreError` if the collection or the id is invalid.
    func key() throws(DataStoreError) -> Key { try Key(collection: collection, id: id) }
}

extension Session {
    /// Returns the error for a record that is not saved. The message begins with `what`.
    ///
    /// If only other collections contain records, the message lists these collections, because the name `collection`
    /// may be misspelled.
    func notSaved(_ what: String, in collection: String, of records: SchemaStore) async throws -> CommandError {
        let collections = try await records.read { transaction in try transaction.collections() }
        guard !collections.isEmpty, !collections.contains(collection) else { return try await nothingSaved(what) }
        let names = collections.map { $0.excerpt(80) }.joined(separator: ", ")
        return CommandError(.notSaved, "\(what); the store has no collection \(collection.excerpt(80)), only \(names)")
    }
}

/// The command `record list`, which prints the records of a collection as JSON.
struct RecordList: ProgramCommand {
    static let help: CommandHelp = """
        list: List the records of a collection.

        Prints each record as one line of JSON, {"id":…,"record":{…}}. If there is none, the command exits with 1.

        EXAMPLES
          profile-cli record list trips | jq -r .id
          profile-cli record list trips --after kyoto --limit 10
        """

    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Option(help: ArgumentHelp("List only the records after this id.", valueName: "id"))
    var after: String?

    @OptionGroup var limitation: LimitOption

    @OptionGroup(title: "Common Options") var options: StoreOptions

    /// The maximum number of records that are read at a time and held in memory.
    private static let pageSize = 1000

    func run(in session: Session) async throws {
        let records = try await session.open().records
        var (last, remaining) = (after, limitation.limit ?? .max)
        while remaining > 0 {
            let count = min(remaining, Self.pageSize)
            let scan = try Scan(collection, ids: last.map(IDRange.after) ?? .all, limit: count)
            let entries = try await records.read { try $0.records(in: scan) }
            if entries.isEmpty, last == nil {
                throw try await session.notSaved("no records found", in: collection, of: records)
            }
            try Console.write(entries.map { Console.json(["id": $0.key.id, "record": Value.record($0.record)]) })
            guard entries.count == count else { break }
            remaining -= count
            last = entries.last?.key.id
        }
    }
}

/// The command `record get`, which prints a record as JSON.
struct RecordGet: ProgramCommand {
    static let help: CommandHelp = """
        get: Print a record.

        Prints the record as one line of JSON. If it is not saved, the command exits with 1.

        EXAMPLE
          profile-cli record get trips kyoto
        """

    @OptionGroup var record: RecordKey

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let key = try record.key()
        let records = try await session.open().records
        guard let record = try await records.record(for: key) else {
            throw try await session.notSaved("the record \(key) is not saved", in: key.collection, of: records)
        }
        try Console.write([RecordJSON.text(.record(record))])
    }
}

/// The command `record set`, which saves a record that is given as JSON.
struct RecordSet: ProgramCommand {
    static let help: CommandHelp = """
        set: Save a record.

        Saves a JSON object as the record, and replaces an existing one; see `profile-cli record --help`. Without \
        JSON, or with -, reads it from standard input.

        EXAMPLES
          profile-cli record set trips kyoto '{"title":"Kyoto","days":3}'
          profile-cli record get trips kyoto | jq -c '.days += 1' | profile-cli record set trips kyoto -
        """

    @OptionGroup var record: RecordKey

    @Argument(help: ArgumentHelp("The record as JSON; - is standard input.", valueName: "json|-"))
    var json = "-"

    @OptionGroup(title: "Common Options") var options: StoreOptions

    /// The collections whose records `record set` does not save, each with the command that saves them.
    private static let commands = ["weather": "forecast save", "imports": "import"]

    func run(in session: Session) async throws {
        let key = try record.key()
        if let command = Self.commands[key.collection] {
            throw CommandError(
                .usage, "record set cannot save records of \(key.collection); use profile-cli \(command)")
        }
        let record = try RecordJSON.record(parsing: InputBytes.json(json))
        let storage = try await session.open(saving: true)
        try storage.validate(record, for: key, now: .now)
        try await storage.records.write { try $0.put(record, for: key) }
        session.note("saved the record \(key)")
    }
}

/// The command `record delete`, which deletes a record.
struct RecordDelete: ProgramCommand {
    static let help: CommandHelp = """
        delete: Delete a record.

        Asks for confirmation; without a terminal, --yes is required. If nothing is saved, the command exits with 1.

        EXAMPLE
          profile-cli record delete trips kyoto --yes
        """

    @OptionGroup var record: RecordKey

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let key = try record.key()
        let records = try await session.open().records
        try await confirmation.confirm(await records.record(for: key).map { _ in "delete the record \(key)" })
        guard try await records.write({ try $0.remove(key) }) else {
            throw try await session.notSaved("the record \(key) is not saved", in: key.collection, of: records)
        }
        session.note("deleted the record \(key)")
    }
}
