import ArgumentParser
import DataStoreQueries
import UserProfileKit

/// The command `store indexes list`, which lists the indexes of a store.
struct StoreIndexesList: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the indexes of a store.",
        discussion: """
            Prints one line for each index of all collections: the collection, the index, "unique" or "-", the state, \
            and the number of entries. With --format json each line is a JSON object. If the store does not exist, the \
            command exits with 66.

            The states are: ready; incomplete, while the index is being built; invalid, if it must be rebuilt; \
            unknown, if a newer version of the library declared it. Queries use only indexes that are ready. A \
            property list stores unique indexes only.

            EXAMPLE
              profile-cli store indexes list --format json | jq -r 'select(.isUnique) | .name'
            """)

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let indexes = try await session.configuration.store.indexes()
            switch session.format {
            case .text:
                var table = Table(rightAligned: [4])
                for index in indexes {
                    let count = index.entryCount.map { "\($0)" } ?? "-"
                    table.add(
                        [index.collection, index.name, index.isUnique ? "unique" : "-", "\(index.state)", count])
                }
                try Console.write(table.lines(aligned: Console.isTerminal))
            case .json: try Console.write(json: indexes.map(IndexOutput.init))
            }
        }
    }
}
