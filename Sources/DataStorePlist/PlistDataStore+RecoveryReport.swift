import DataStoreCore

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
