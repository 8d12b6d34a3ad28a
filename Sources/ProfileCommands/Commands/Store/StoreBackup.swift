import ArgumentParser
import DataStoreSystem
import UserProfileKit

/// The command `store backup`, which copies a store while it is in use.
struct StoreBackup: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up a store while it is in use.",
        discussion: """
            Writes one snapshot of the store: for an LMDB store, a directory without free pages; for a property list, \
            an identical copy of the file. The backup can be used as a store. It appears under its name when it is \
            complete, and is durable when the command exits. A damaged store is not backed up. If the path exists, the \
            command exits with 73. Standard error reports the size of the backup.

            EXAMPLE
              profile-cli store backup /backups/profiles-2026-11-21
            """)

    @Argument(help: "The path of the new directory or file.", completion: .directory)
    var path: String

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let location = session.configuration.store
            try StorageLocation(kind: location.kind, address: path).requireParentDirectory()
            try await location.backUp(to: path)
            let stamp = try location.kind.dataFile(at: path).flatMap { file in try FileStamp.of(path: file) }
            let size = stamp.map { " (\(Int($0.status.size).byteCountText))" } ?? ""
            Console.error("backed up \(location) to \(path)\(size)")
        }
    }
}
