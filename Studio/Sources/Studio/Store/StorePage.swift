import UserProfileKit

/// The store: its file, its schema, a check, and the explanation of a query.
struct StorePage: Page {
    static let template = "Store"
    static let path = "/store"

    /// The maximum number of collections that the page shows.
    static let maximumCollectionCount = 100

    /// A collection with its fields and indexes.
    struct Collection: Sendable {
        let name: String
        /// The number of records, or "counting…" until it is known.
        let count: String
        let address: String
        let sample: FieldSample
        let references: [Reference]
        let indexes: [Index]
    }

    /// A reference to another collection.
    struct Reference: Sendable {
        let field: String
        let target: String
        let address: String
    }

    /// An index and its state.
    struct Index: Sendable {
        /// The fields in words.
        let words: String
        let name: String
        let isUnique: Bool
        let state: String
    }

    /// A migration that was applied to the store.
    struct Migration: Sendable {
        let collection: String
        let name: String
        let state: String
    }

    let frame: Frame
    let title = "Store"
    let navigation = NavigationItem.items(current: StorePage.path)
    let kind: String
    let file: String?
    let format: String?
    let size: String?
    let collections: [Collection]
    /// The number of further collections as text, or `nil` if the page shows all collections.
    let moreCollections: String?
    let migrations: [Migration]
    let hasMigrations: Bool
    /// The reason why the store cannot be described, or `nil`.
    let problem: String?
    let check: CheckView
    let explanation: ExplanationView
    let eventsAddress = "\(StorePage.path)/events"

    /// Reads the description of the store.
    ///
    /// - Parameters:
    ///   - form: The query of the address, with a condition and an order to explain.
    ///   - storage: The storage.
    ///   - location: Its location.
    ///   - counts: The numbers of records.
    ///   - check: The state of the check.
    ///   - frame: The store.
    init(
        _ form: Form, in storage: UserProfileStorage, at location: StorageLocation, counts: RecordCounts,
        check: StoreCheck.State, frame: Frame
    ) async {
        self.frame = frame
        self.check = CheckView(check)
        kind = location.kind.scheme
        explanation = await ExplanationView(form, users: storage.users)
        do {
            // A description with the numbers of records would count them before the page is shown.
            let format = try await location.kind.format(at: location.address)
            let indexes = Dictionary(grouping: try await storage.records.indexes(), by: \.collection)
            let all = try await storage.records.read { try $0.references() }
            let references = Dictionary(grouping: all, by: \.collection)
            let migrations = try await storage.records.migrations().map { Migration($0) }
            let names = Set(try await storage.records.read { try $0.collections() }).union(indexes.keys).sorted()
            let shown = names.prefix(StorePage.maximumCollectionCount)
            let numbers = try await counts.counts(shown.map(RecordCounts.Subject.init(collection:)))
            var collections: [Collection] = []
            for name in shown {
                collections.append(
                    Collection(
                        name: name, count: numbers[.init(collection: name)]?.text ?? "counting…",
                        address: RecordsAddress(name).text, sample: await FieldSample(of: name, in: storage),
                        references: (references[name] ?? []).map { Reference($0.reference) },
                        indexes: (indexes[name] ?? []).map { Index($0) }))
            }
            file = location.kind.dataFile(at: location.address)
            size = file.flatMap(ByteCount.text(ofFileAt:))
            (self.format, self.collections, self.migrations, problem) = (format, collections, migrations, nil)
            let moreCount = names.count - shown.count
            moreCollections = moreCount > 0 ? moreCount.counted("more collection") : nil
        } catch {
            (file, format, size, collections, moreCollections, migrations) = (nil, nil, nil, [], nil, [])
            problem = Failure(error).message
        }
        hasMigrations = !migrations.isEmpty
    }
}

extension StorePage.Index {
    fileprivate init(_ index: IndexReport) {
        name = index.name
        words = FieldWords.text(index.name)
        isUnique = index.isUnique
        state =
            switch index.state {
            case .ready: "ready"
            case .incomplete: "incomplete; until it is built, queries read all records"
            case .invalid: "invalid; until it is rebuilt, queries read all records"
            case .unknown: "unknown; a newer version of the library declared it"
            }
    }
}

extension StorePage.Reference {
    fileprivate init(_ reference: DataStoreQueries.Reference) {
        field = reference.path
        target = reference.target
        address = RecordsAddress(reference.target).text
    }
}

extension RecordCounts.Count {
    /// The number as text; "about" if it is an estimate, or records may have changed since they were counted.
    var text: String { isCurrent ? number.grouped : "about \(number.grouped)" }
}

extension StorePage.Migration {
    fileprivate init(_ migration: StoredMigration) {
        collection = migration.collection
        name = migration.name
        let records = migration.recordCount.map { ", \($0.counted("record"))" } ?? ""
        state =
            switch migration.state {
            case .applied: "applied\(records)"
            case .incomplete: "begun\(records)"
            case .pending: "not applied"
            }
    }
}

/// The state of a check as the template shows it.
struct CheckView: Sendable {
    /// The maximum number of findings that the page shows.
    static let maximumFindingCount = 100

    let isRunning: Bool
    let progress: String
    /// Whether the last check found nothing.
    let isSound: Bool
    let findings: [String]
    let hasFindings: Bool
    /// The number of further findings as text, or `nil` if the page shows all findings.
    let moreFindings: String?
    let failure: String?
    let isCancelled: Bool

    init(_ state: StoreCheck.State) {
        var (isRunning, progress, isSound, isCancelled) = (false, "", false, false)
        var (findings, failure): ([String], String?) = ([], nil)
        switch state {
        case .idle: break
        case .running(let count): (isRunning, progress) = (true, "\(count.counted("record")) checked")
        case .finished(let found): (isSound, findings) = (found.isEmpty, found)
        case .failed(let message): failure = message
        case .cancelled: isCancelled = true
        }
        self.isRunning = isRunning
        self.progress = progress
        self.isSound = isSound
        self.findings = Array(findings.prefix(CheckView.maximumFindingCount))
        let moreCount = findings.count - self.findings.count
        moreFindings = moreCount > 0 ? moreCount.counted("more finding") : nil
        self.failure = failure
        self.isCancelled = isCancelled
        hasFindings = !findings.isEmpty
    }
}
