import ArgumentParser
import DataStoreSystem

/// The command `store backup`, which copies a store while it is in use.
struct StoreBackup: ProgramCommand {
    static let help: CommandHelp = """
        backup: Back up a store while it is in use.

        Writes one snapshot to a new path, as a store of the same kind. It appears when it is complete. With --keep, \
        the time is added to the path, and all but the newest backups are removed.

        EXAMPLES
          profile-cli store backup /backups/profiles
          profile-cli store backup /backups/profiles --keep 7
        """

    @Argument(help: "The path of the new directory or file.", completion: .directory)
    var path: String

    @Option(help: ArgumentHelp("Add the time to the path, and keep this many backups.", valueName: "number"))
    var keep: Int?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func validate() throws {
        if let keep, keep < 1 { throw UsageError("--keep must be 1 or more, not \(keep)") }
    }

    func run(in session: Session) async throws {
        let location = session.location
        let name = keep == nil ? path : "\(path)-\(Self.stamp(.now))"
        try StorageLocation(kind: location.kind, address: name).requireParentDirectory()
        let path = try await ProgressLine.during("backing up \(location)") { _ in
            try await Self.backUp(location, to: name, numbering: keep != nil)
        }
        let byteCount = try StorageLocation(kind: location.kind, address: path).fileByteCount()
        let removed = try keep.map { try Self.removeOld(of: self.path, keeping: $0) } ?? []
        let size = byteCount.map { " (\($0.byteCountText))" } ?? ""
        let rest = removed.isEmpty ? "" : "; removed \(removed.count.counted("old backup"))"
        try session.report(
            "backed up \(location) to \(path)\(size)\(rest)",
            json: [
                "store": location.description, "backup": path, "fileByteCount": byteCount, "removed": removed,
            ])
    }

    /// The time in UTC as a part of a file name, e.g. `20261127T141526Z`.
    private static func stamp(_ time: Instant) -> String {
        let digits = time.description.prefix { $0 != "." && $0 != "Z" }.filter { $0.isNumber || $0 == "T" }
        return "\(digits)Z"
    }

    /// Backs up a store to a new path. If the path is taken by a backup of the same second, `numbering` adds a number.
    ///
    /// - Returns: The path of the backup.
    static func backUp(_ location: StorageLocation, to name: String, numbering: Bool) async throws -> String {
        var number = 1
        while true {
            let path = number == 1 ? name : "\(name)-\(number)"
            do {
                try await location.backUp(to: path)
                return path
            } catch let error as DataStoreError where numbering && error.code == .notAStore {
                guard try await StorageLocation(kind: location.kind, address: path).exists() else { throw error }
                number += 1
            }
        }
    }

    /// Removes the oldest backups of a path, whose names are this path with a time.
    ///
    /// - Returns: The paths of the removed backups.
    static func removeOld(of path: String, keeping count: Int) throws -> [String] {
        let path = Path(try Path.absolute("\(path)-"))
        guard let directory = try Directory.ifExists(path.parent) else { return [] }
        let prefix = path.name
        let backups = try directory.names { $0.hasPrefix(prefix) }.compactMap { name in
            name.dropFirst(prefix.count).wholeMatch(of: #/([0-9]{8}T[0-9]{6}Z)(?:-([0-9]{1,9}))?/#).map { match in
                (name: name, time: match.1, number: match.2.flatMap { Int($0) } ?? 1)
            }
        }
        let old = backups.sorted { ($0.time, $0.number) < ($1.time, $1.number) }.dropLast(count).map(\.name)
        for name in old {
            // A backup is a file, or a directory with two files.
            if let backup = try directory.subdirectory(name) {
                for file in ["data.mdb", "lock.mdb"] { backup.remove(file) }
                directory.removeDirectory(name)
            } else {
                directory.remove(name)
            }
        }
        return old.map(directory.path(of:))
    }
}

/// The command `store restore`, which replaces a store with a backup.
struct StoreRestore: ProgramCommand {
    static let help: CommandHelp = """
        restore: Replace a store with a backup.

        Checks the backup, and replaces the store with a copy of it in one step. The replaced file is kept. Stop the \
        programs that use an LMDB store first. To restore into a store of another kind, use `store copy`.

        EXAMPLE
          profile-cli store restore /backups/profiles
        """

    @Argument(help: "The path of the backup.", completion: .directory)
    var backup: String

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let location = session.location
        try await confirmation.confirm(await location.exists() ? "replace \(location) with \(backup)" : nil)
        if !session.configuration.usesDefaultStore { try location.requireParentDirectory() }
        let (kept, count) = try await ProgressLine.during("restoring \(location)") { _ in
            (try await location.restore(from: backup), try await location.info().recordCount)
        }
        try session.report(
            "restored \(location) with \(count.counted("record"))"
                + (kept.map { "; the replaced file is kept at \($0)" } ?? ""),
            json: ["store": location.description, "recordCount": count, "replacedFile": kept])
    }
}
