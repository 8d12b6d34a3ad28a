import Logging

/// One run of a command, with its configuration and the storage that it opens.
struct Session {
    let program: ProfileProgram
    let configuration: Configuration
    let format: OutputFormat
    let source: (any ForecastSource)?
    let isVerbose: Bool
    /// The keys of sealed fields, or `nil` if none are given.
    var keys: StoreKeys?
    /// Writes lines of results.
    var writeLines: ([String]) throws -> Void = Console.write(_:)

    let opened = OpenStorages()

    /// The location of the store.
    var location: StorageLocation { configuration.store }

    /// The id of the user that the command reads or deletes. Only an existing user can have some of the ids.
    var user: UserID { configuration.user }

    /// The id of the user that the command saves.
    ///
    /// - Throws: `ValidationError` if a new user cannot have the id.
    var savedUser: UserID { get throws { try UserID(user.text) } }

    /// Opens the storage, which is closed when the command ends. ``requireStore(saving:)`` lists the stores that are
    /// not opened.
    ///
    /// - Parameters:
    ///   - buildingIndexes: Whether to build missing indexes first, for a command that filters or sorts users.
    ///   - saving: Whether the command saves something, so that the store need not exist. If `true` and the store does
    ///     not outlive the process, a warning is printed at the end.
    /// - Returns: The storage.
    /// - Throws: An error of the storage.
    func open(buildingIndexes: Bool = false, saving: Bool = false) async throws -> UserProfileStorage {
        note("using \(location)")
        try await requireStore(saving: saving)
        let storage = try await UserProfileStorage.open(
            location, source: source, keys: keys, buildsIndexes: false, logger: isVerbose ? .console : nil)
        opened.all.append(storage)
        opened.lossyLocation = saving && !location.kind.isPersistent ? location : nil
        if buildingIndexes { try await buildIndexes(storage) }
        return storage
    }

    /// Runs a command, and closes the storage that it has opened.
    func run(_ command: some ProgramCommand) async throws {
        do {
            try await command.run(in: self)
        } catch {
            await opened.close()
            throw error
        }
        await opened.close()
        guard let location = opened.lossyLocation else { return }
        Console.warn("\(location) is not persistent; the change is lost when this command exits")
    }

    // MARK: Results

    /// Writes each result as a row of a table, or as one line of JSON with the members that `json` returns.
    func write<Result>(
        _ results: [Result], in table: Table, cells: (Result) -> [String], json: (Result) -> JSONObject
    ) throws {
        var table = table
        try write(table.lines(results.map(cells)), jsonLines: results.map { Console.json(json($0)) })
    }

    /// Says what a command has done: in a message on standard error, or in one line of JSON on standard output.
    func report(_ text: @autoclosure () -> String, json members: @autoclosure () -> JSONObject) throws {
        if format == .text { Console.note(text()) } else { try writeLines([Console.json(members())]) }
    }

    /// Writes one result as lines of text, or as one line of JSON with the given members.
    func write(_ lines: @autoclosure () -> [String], json members: @autoclosure () -> JSONObject) throws {
        try write(lines(), jsonLines: [Console.json(members())])
    }

    /// Writes results as lines of text, or as lines of JSON.
    func write(_ lines: @autoclosure () -> [String], jsonLines: @autoclosure () -> [String]) throws {
        try writeLines(format == .text ? lines() : jsonLines())
    }

    // MARK: Missing stores

    /// Throws a `DataStoreError` if no store exists, because its location is probably misspelled. A command that
    /// saves creates the store, but not the parent directories of the store's directory.
    ///
    /// The default store is accepted, because its location is not typed. It does not exist until the first save.
    private func requireStore(saving: Bool) async throws {
        guard !configuration.usesDefaultStore, location.kind.isPersistent else { return }
        if saving { try location.requireParentDirectory() } else { try await location.requireStore() }
    }

    /// Returns the error for a value that is not saved. If the default store does not exist, the message says so.
    func nothingSaved(_ message: String) async throws -> CommandError {
        let missing = try await missingStore()
        return CommandError(.notSaved, missing.map { "\(message): \($0)" } ?? message)
    }

    /// Returns a value that must be saved. Throws ``nothingSaved(_:)`` if it is not.
    func requireSaved<Value>(_ value: Value?, _ message: @autoclosure () -> String) async throws -> Value {
        guard let value else { throw try await nothingSaved(message()) }
        return value
    }

    /// Throws ``nothingSaved(_:)`` unless something was saved.
    func requireSaved(_ wasSaved: Bool, _ message: @autoclosure () -> String) async throws {
        guard wasSaved else { throw try await nothingSaved(message()) }
    }

    /// Writes a message to standard error if the default store does not exist, as the reason for an empty list.
    func mentionMissingStore() async throws {
        if let missing = try await missingStore() { Console.note("nothing is saved yet: \(missing)") }
    }

    private func missingStore() async throws -> String? {
        guard configuration.usesDefaultStore else { return nil }
        return try await location.exists() ? nil : "no store exists at \(location)"
    }

    /// Builds missing indexes, e.g. the index on a field that an older program has not indexed.
    ///
    /// A store that holds its records in memory, such as a property list, is skipped, because its queries build indexes
    /// when they need them. If the store is read-only or full, the function only notes this, because queries return the
    /// same results without indexes.
    private func buildIndexes(_ storage: UserProfileStorage) async throws {
        guard location.kind.storesIndexes else { return }
        let progress = ProgressLine(of: "record")
        defer { progress.clear() }
        do {
            try await storage.records.buildIndexes(progress: progress.showIndex)
        } catch let error where !(error is CancellationError) {
            // A store that is read-only or full returns the same results without indexes.
            progress.clear()
            note("could not build the indexes, reading all users instead: \(error)")
        }
    }

    /// Writes a message to standard error if the output is verbose.
    func note(_ text: @autoclosure () -> String) { if isVerbose { Console.note(text()) } }
}

/// The storages that a command has opened.
final class OpenStorages {
    var all: [UserProfileStorage] = []
    /// The location of a store in which the command saves something, and which does not outlive the process.
    var lossyLocation: StorageLocation?

    func close() async { while let storage = all.popLast() { await storage.close() } }
}
