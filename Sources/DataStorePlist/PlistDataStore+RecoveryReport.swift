import DataStoreCore
import DataStoreMemory
import PropertyListCodec

extension PlistDataStore {
    /// What recovering a file came to.
    public struct RecoveryReport: Sendable, Hashable {
        /// Something that is damaged.
        public struct Finding: Sendable, Hashable, CustomStringConvertible {
            /// What is damaged.
            package enum Kind: Sendable, Hashable {
                /// A record; its name is the collection and the id, as text that can be shown. It is lost.
                case record
                /// A collection, with the records in it that come after the place.
                case collection
                /// An entry of another program. It is lost.
                case otherEntry
                /// Something around these: the file was cut off, or its beginning is damaged, or it cannot be told what
                /// was there.
                case file
            }

            /// What is damaged.
            package let kind: Kind
            /// Its name; nil where the kind is `file`.
            package let name: String?
            /// Where it is damaged, and how.
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

            /// One sentence.
            public var description: String {
                switch kind {
                case .record: "the record \(name ?? "") is lost: \(error)"
                case .collection: "the collection \(name ?? "") is damaged: \(error)"
                case .otherEntry: "the entry \(name ?? "") is lost: \(error)"
                case .file: "\(error)"
                }
            }
        }

        /// Where the damaged file is kept now; nil where nothing was damaged: then nothing was changed.
        public let damagedFile: String?

        /// How many records are in the file now.
        public let savedCount: Int

        /// The entries of other programs that were found whole, by their keys; empty where nothing is damaged.
        public let keptEntries: [String]

        /// What is damaged, in the order it was found.
        public let findings: [Finding]

        /// The records that are lost and whose keys are known, as text that can be shown.
        public var lostKeys: [String] { findings.filter { $0.kind == .record }.compactMap(\.name) }

        /// The entries of other programs that are lost, by their keys.
        public var lostEntries: [String] { findings.filter { $0.kind == .otherEntry }.compactMap(\.name) }

        /// Whether records or entries may be lost of which not even the keys are known, as where the file was cut off.
        public let mayHaveLostMore: Bool

        /// The report on a file in which nothing is damaged.
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
