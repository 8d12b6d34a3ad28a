import ArgumentParser

/// The command `store indexes`, which contains the subcommands for indexes.
struct StoreIndexes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes", abstract: "List the indexes of a store, or remove one.",
        discussion: """
            Without a subcommand, lists the indexes that all programs have declared.

            EXAMPLES
              profile-cli store indexes
              profile-cli store indexes drop trips title
            """,
        subcommands: [StoreIndexesList.self, StoreIndexesDrop.self], defaultSubcommand: StoreIndexesList.self)
}

/// The command `store indexes list`, which lists the indexes of a store.
struct StoreIndexesList: ProgramCommand {
    static let help: CommandHelp = """
        list: List the indexes of a store.

        Prints collection, index, "unique" or "-", state, and number of entries. The states are ready, incomplete \
        while it is being built, invalid if it must be rebuilt, and unknown if a newer library declared it.

        If two indexes have two forms of one field, e.g. after a property has changed its type, a note names the \
        command that removes the older one.

        EXAMPLE
          profile-cli store indexes list --json | jq -r 'select(.isUnique) | .name'
        """

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let indexes = try await session.location.indexes()
        try session.write(
            indexes, in: Table(header: ["collection", "index", "unique", "state", "entries"], rightAligned: [4]),
            cells: { index in
                let count = index.entryCount.map { "\($0)" } ?? "-"
                return [index.collection, index.name, index.isUnique ? "unique" : "-", "\(index.state)", count]
            }, json: \.json)
        guard session.format == .text else { return }
        for sentence in indexes.compactMap(\.advice) { Console.note(sentence) }
    }
}

extension IndexReport {
    /// The members of the JSON output. The number of entries is omitted if it is unknown.
    var json: JSONObject {
        [
            "collection": collection, "name": name, "isUnique": isUnique, "state": "\(state)",
            "entryCount": entryCount, "advice": advice,
        ]
    }
}

/// The command `store indexes drop`, which removes an index.
struct StoreIndexesDrop: ProgramCommand {
    static let help: CommandHelp = """
        drop: Remove an index from a store.

        Removes the index and its entries, but no records. First change the programs that declare the index, because \
        they build it again.

        EXAMPLE
          profile-cli store indexes drop trips title
        """

    @Argument(help: "The collection, e.g. trips.")
    var collection: String

    @Argument(help: "The index, as `store indexes` prints it, e.g. title.")
    var index: String

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let wasRemoved = try await session.location.removeIndex(of: collection, named: index)
        try await session.requireSaved(wasRemoved, "the collection \(collection) has no index \(index)")
        session.note("removed the index \(index) of \(collection) from \(session.location)")
    }
}
