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
        let count: String
        let address: String
        let sample: FieldSample
        let indexes: [Index]
    }

    /// An index and its state.
    struct Index: Sendable {
        let name: String
        let isUnique: Bool
        /// The state, and the number of entries if it is known.
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
    ///   - check: The state of the check.
    ///   - frame: The store.
    init(
        _ form: Form, in storage: UserProfileStorage, at location: StorageLocation, check: StoreCheck.State,
        frame: Frame
    ) async {
        self.frame = frame
        self.check = CheckView(check)
        kind = location.kind.scheme
        explanation = await ExplanationView(form, users: storage.users)
        do {
            let info = try await location.info()
            let indexes = Dictionary(
                grouping: try await storage.records.indexes(countingEntries: true), by: \.collection)
            let migrations = try await storage.records.migrations().map { Migration($0) }
            var collections: [Collection] = []
            let names = Set(info.recordCounts.keys).union(indexes.keys).sorted()
            for name in names.prefix(StorePage.maximumCollectionCount) {
                collections.append(
                    Collection(
                        name: name, count: (info.recordCounts[name] ?? 0).grouped,
                        address: RecordsPage.address(of: name),
                        sample: await FieldSample(of: name, in: storage),
                        indexes: (indexes[name] ?? []).map { Index($0) }))
            }
            (file, format, size) = (info.file, info.format, info.fileByteCount.map(ByteCount.text))
            (self.collections, self.migrations, problem) = (collections, migrations, nil)
            let moreCount = names.count - collections.count
            moreCollections = moreCount > 0 ? moreCount.counted("more collection") : nil
        } catch {
            (file, format, size, collections, moreCollections, migrations) = (nil, nil, nil, [], nil, [])
            problem = Failure(error).message
        }
        hasMigrations = !migrations.isEmpty
    }
}

extension StorePage.Index {
    fileprivate init(_ index: StoredIndex) {
        name = index.name
        isUnique = index.isUnique
        let count = index.entryCount == 1 ? "1 entry" : "\((index.entryCount ?? 0).grouped) entries"
        state =
            switch index.state {
            case .ready: "ready, \(count)"
            case .incomplete: "incomplete, \(count); until it is built, queries read all records"
            case .invalid: "invalid; until it is rebuilt, queries read all records"
            case .unknown: "unknown; a newer version of the library declared it"
            }
    }
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

/// The explanation of a query, and the fields of its form.
struct ExplanationView: Sendable {
    let filter: String
    let sort: String
    let error: QueryMistake?
    let text: String?

    /// Runs the query of an address, if it has one.
    init(_ form: Form, users: any Repository<User>) async {
        var address = ProfilesAddress(form)
        address.cursor = nil
        filter = address.filter ?? ""
        sort = address.sort ?? ""
        guard form["where"] != nil || form["sort"] != nil else {
            (error, text) = (nil, nil)
            return
        }
        do {
            text = "\(try await users.explain(try address.query()))"
            error = nil
        } catch let invalid as QueryError {
            (error, text) = (QueryMistake(invalid.description), nil)
        } catch let failure {
            (error, text) = (QueryMistake(Failure(failure).message), nil)
        }
    }
}

/// Numbers of bytes as text.
enum ByteCount {
    /// Returns a number of bytes in the largest unit that is not greater, e.g. `1.5 MiB`.
    static func text(_ count: Int) -> String {
        guard count >= 1024 else { return "\(count) bytes" }
        var (value, unit) = (Double(count) / 1024, 0)
        let units = ["KiB", "MiB", "GiB", "TiB"]
        while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
