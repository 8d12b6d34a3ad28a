import DataStoreCore
import DataStoreSystem

extension PlistDataStore {
    /// Copies the file to a new path, byte for byte, while programs use it. The copy includes the entries of other
    /// programs.
    ///
    /// The copy has mode 0600 and is durable when this function returns. A damaged file is not copied.
    ///
    /// - Parameter path: The path of the copy, which must not exist.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `notAStore` if the path exists or the store has no file yet.
    ///   - `corrupted` if the file is damaged.
    ///   - `full` if the disk is full.
    ///   - `inputOutput` if the copy cannot be written.
    public func backup(to path: String) async throws {
        do {
            let target = try Path.absolute(path)
            try await Thread.run { [self] _ in try file.backUp(to: target) }
        } catch let error as DataStoreError {
            throw error.adding(operation: "back up the store", path: self.path)
        }
    }
}

extension PlistDataStore {
    /// Restores the intact records and the intact entries of other programs from a damaged file. It does not guess lost
    /// values.
    ///
    /// The damaged file is kept beside the new one, byte for byte, as `NAME.damaged-1` or the next free number. The new
    /// file replaces the damaged one atomically. Stores that have the file open continue with the new file. An intact
    /// file is not changed. After an error, the file is unchanged, unless only the sync of the directory failed.
    ///
    /// - In a truncated XML file, each complete record or entry is recovered.
    /// - In an XML file with a damaged part, the entries after that part are recovered, too. This requires the
    ///   indentation that this store and other programs write.
    /// - In a binary file, a record or an entry is recovered if all its objects are intact and the dictionaries that
    ///   contain it are readable. The end of the file may be missing.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: A report on the recovered and the lost parts.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `notAStore` if the file does not exist or was never a store.
    ///   - `formatTooNew` if a newer program wrote the file.
    ///   - `busy` if another process holds the lock.
    ///   - `full` if the disk is full.
    ///   - `inputOutput` if a file cannot be read or written.
    public static func recover(_ path: String) async throws -> RecoveryReport {
        do {
            let file = PlistFile(path: try Path.absolute(path), newFormat: .xml, lockTimeout: .seconds(30))
            return try await Thread.run { _ in try file.recover() }
        } catch let error as DataStoreError {
            throw error.adding(operation: "recover the store", path: path)
        }
    }
}

extension PlistDataStore {
    /// The result of recovering a damaged file. ``PlistDataStore/recover(_:)`` returns it.
    public struct RecoveryReport: Sendable, Hashable {
        /// A damaged part of the file.
        package struct Finding: Sendable, Hashable, CustomStringConvertible {
            /// The kind of a damaged part.
            package enum Kind: Sendable, Hashable {
                /// A record is lost. The name of the finding is the collection and id, escaped for display.
                case record
                /// A collection is damaged. Its records after the damaged position are lost.
                case collection
                /// An entry of another program is lost.
                case otherEntry
                /// Another part is damaged: the end of the file is missing, its beginning is damaged, or the damaged
                /// entry is unknown.
                case file
            }

            /// The kind of the damaged part.
            package let kind: Kind
            /// The name of the damaged part, or `nil` if the kind is `file`.
            package let name: String?
            /// The syntax error and its position.
            package let error: ParseError

            init(_ part: PropertyListLoss.Part, _ error: ParseError) {
                self.error = error
                switch part {
                case .record(let name): (kind, self.name) = (.record, name)
                case .collection(let name): (kind, self.name) = (.collection, name)
                case .entry(let name): (kind, self.name) = (.otherEntry, name)
                case .file: (kind, name) = (.file, nil)
                }
            }

            /// One sentence that describes the damage.
            package var description: String {
                switch kind {
                case .record: "the record \(name ?? "") is lost: \(error)"
                case .collection: "the collection \(name ?? "") is damaged: \(error)"
                case .otherEntry: "the entry \(name ?? "") is lost: \(error)"
                case .file: "\(error)"
                }
            }
        }

        /// The path under which the damaged file is kept, or `nil` if the file was intact and nothing was changed.
        public let damagedFile: String?

        /// The number of records in the file after the recovery.
        public let savedCount: Int

        /// The keys of the intact entries of other programs. It is empty if the file was intact.
        package let keptEntries: [String]

        /// The damaged parts, in the order in which they were found.
        package let findings: [Finding]

        /// One sentence for each damaged part.
        public var problems: [String] { findings.map(\.description) }

        /// The keys of the lost records as `collection/id`, escaped for display. Lost records whose keys are unknown
        /// are not listed.
        public var lostKeys: [String] { findings.filter { $0.kind == .record }.compactMap(\.name) }

        /// The keys of the lost entries of other programs.
        package var lostEntries: [String] { findings.filter { $0.kind == .otherEntry }.compactMap(\.name) }

        /// Whether the file may have lost records or entries that this report does not name, because their keys are
        /// unknown. An example is a truncated file.
        public let mayHaveLostMore: Bool

        /// Creates the report on an intact file.
        init(recordCount: Int) {
            damagedFile = nil
            savedCount = recordCount
            keptEntries = []
            findings = []
            mayHaveLostMore = false
        }

        init(_ recovered: PlistContents.Recovered, keptAs damagedFile: String) {
            self.damagedFile = damagedFile
            savedCount = recovered.contents.recordCount
            keptEntries = recovered.otherKeys
            findings = recovered.findings
            mayHaveLostMore = recovered.mayHaveLostMore
        }
    }
}

extension PlistDataStore {
    /// A syntax error in a property-list file and its position. It is the underlying error of a `DataStoreError` with
    /// the code `corrupted`.
    package struct ParseError: Error, Sendable, Hashable {
        /// The reason without the position.
        package let reason: String

        /// The number of bytes in the file before the error.
        package let byteOffset: Int

        /// The line of the error in an XML file, starting at 1. It is `nil` in a binary file.
        package let line: Int?

        /// The position in the line, in characters counted from 1. It is `nil` in a binary file.
        package let column: Int?

        init(_ error: PropertyListError, in bytes: [UInt8], _ format: PropertyListFormat) {
            self.init(
                error, format == .xml ? TextPosition.positions(of: [error.offset], in: bytes).first : nil)
        }

        private init(_ error: PropertyListError, _ position: TextPosition?) {
            reason = error.reason
            byteOffset = error.offset
            line = position?.line
            column = position?.column
        }

        /// Returns the parse errors of a file with their lines and columns, which a single scan of the file determines.
        static func errors(
            _ errors: [PropertyListError], in bytes: [UInt8], _ format: PropertyListFormat
        ) -> [PlistDataStore.ParseError] {
            guard format == .xml else { return errors.map { PlistDataStore.ParseError($0, nil) } }
            let positions = TextPosition.positions(of: errors.map(\.offset), in: bytes)
            return zip(errors, positions).map { PlistDataStore.ParseError($0, $1) }
        }
    }
}

extension PlistDataStore.ParseError: CustomStringConvertible {
    /// The position as text, e.g. `line 3, column 7 (byte 120)` or `byte 120`.
    package var position: String {
        if let line, let column { "line \(line), column \(column) (byte \(byteOffset))" } else { "byte \(byteOffset)" }
    }

    /// The reason and the position of the error.
    package var description: String { "\(reason), at \(position)" }
}

extension PlistFile {
    /// Replaces a damaged file with a file of its intact parts, and keeps the damaged file under another name.
    func recover() throws(DataStoreError) -> PlistDataStore.RecoveryReport {
        guard try exists() else { throw DataStoreError.missing() }
        return try withLock { location throws(DataStoreError) in
            guard let read = try location.read() else { throw DataStoreError.missing() }
            guard let recovered = try PlistContents.recovering(read.bytes) else {
                return PlistDataStore.RecoveryReport(recordCount: try PlistContents(read.bytes).recordCount)
            }
            let damagedFile = try location.keepDamaged(read.bytes)
            _ = try location.directory.replace(
                location.name, with: recovered.contents.serialized())
            return PlistDataStore.RecoveryReport(recovered, keptAs: damagedFile)
        }
    }

    /// Copies the file to a new path. Throws an error if the file is damaged.
    func backUp(to target: String) throws(DataStoreError) {
        guard let read = try PlistLocation.resolve(path)?.read() else {
            throw DataStoreError.missing()
        }
        _ = try PlistContents(read.bytes)
        let (directory, name) = try Directory.forNewEntry(at: target, "file")
        guard try directory.create(name, with: read.bytes) else { throw DataStoreError.exists(target) }
    }
}
