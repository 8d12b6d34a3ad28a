import UserProfileKit

/// The store itself: its file, its collections and indexes, a check, and how a query is answered.
struct StorePage: Page {
    static let template = "Store"
    static let path = "/store"

    /// A collection with its indexes.
    struct Collection: Sendable {
        let name: String
        let count: Int
        let address: String
        let indexes: [Index]
    }

    /// An index and its state.
    struct Index: Sendable {
        let name: String
        let isUnique: Bool
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
    /// Why the store cannot be described, or `nil`.
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
            let indexes = Dictionary(grouping: info.indexes, by: \.collection)
            let names = Set(info.recordCounts.keys).union(indexes.keys).sorted()
            (file, format, size) = (info.file, info.format, info.fileByteCount.map(ByteCount.text))
            collections = names.map { name in
                Collection(
                    name: name, count: info.recordCounts[name] ?? 0, address: RecordsPage.address(of: name),
                    indexes: (indexes[name] ?? []).map { Index($0) })
            }
            problem = nil
        } catch {
            (file, format, size, collections) = (nil, nil, nil, [])
            problem = Failure(error).message
        }
    }
}

extension StorePage.Index {
    fileprivate init(_ index: StoredIndex) {
        name = index.name
        isUnique = index.isUnique
        state =
            switch index.state {
            case .ready: "ready"
            case .incomplete: "incomplete: queries scan until it is built"
            case .invalid: "invalid: queries scan until it is rebuilt"
            case .unknown: "of a newer library"
            }
    }
}

/// The state of a check as the template shows it.
struct CheckView: Sendable {
    let isRunning: Bool
    let progress: String
    /// Whether the last check found nothing.
    let isSound: Bool
    let findings: [String]
    let hasFindings: Bool
    let failure: String?
    let isCancelled: Bool

    init(_ state: StoreCheck.State) {
        var (isRunning, progress, isSound, isCancelled) = (false, "", false, false)
        var (findings, failure): ([String], String?) = ([], nil)
        switch state {
        case .idle: break
        case .running(let count): (isRunning, progress) = (true, "\(count) records checked")
        case .finished(let found): (isSound, findings) = (found.isEmpty, found)
        case .failed(let message): failure = message
        case .cancelled: isCancelled = true
        }
        self.isRunning = isRunning
        self.progress = progress
        self.isSound = isSound
        self.findings = findings
        self.failure = failure
        self.isCancelled = isCancelled
        hasFindings = !findings.isEmpty
    }
}

/// How a query is answered, and the form that asks for it.
struct ExplanationView: Sendable {
    let filter: String
    let sort: String
    let error: String?
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
            (error, text) = (invalid.description, nil)
        } catch let failure {
            (error, text) = (Failure(failure).message, nil)
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
