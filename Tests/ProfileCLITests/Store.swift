import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import Foundation
import Testing

/// A persistent kind of store.
enum StoreKind: String, CaseIterable {
    case lmdb, plist
}

/// A store location as the option --store takes it.
struct Store {
    /// The value of --store.
    let text: String

    static let memory = Store(text: "memory:")
}

extension ProfileCLI {
    /// Returns a URL in the directory of this test.
    func url(_ name: String) -> URL { directory.appending(path: name) }

    /// Returns a store next to the home directory.
    func store(_ kind: StoreKind, _ name: String = "store") -> Store {
        Store(text: "\(kind.rawValue):\(url(name).path)")
    }

    /// Opens a store in this process, as another program would.
    func using<Result>(
        _ kind: StoreKind, _ name: String = "store", _ body: (any DataStore) async throws -> Result
    ) async throws -> Result {
        let store: any DataStore =
            switch kind {
            case .lmdb: try LMDBDataStore(path: url(name).path)
            case .plist: try PlistDataStore(path: url(name).path)
            }
        let result = try await body(store)
        await store.close()
        return result
    }

    /// Writes a file next to the home directory and creates its parent directories.
    @discardableResult
    func write(_ text: String, to name: String) throws -> URL { try write(Data(text.utf8), to: name) }

    @discardableResult
    func write(_ bytes: Data, to name: String) throws -> URL {
        let file = url(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
        return file
    }

    /// Returns all files and directories of this test, with the contents of the files.
    func snapshot() throws -> [String: Data?] {
        var entries: [String: Data?] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            var isDirectory: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(atPath: url(name).path, isDirectory: &isDirectory)
            entries.updateValue(isDirectory.boolValue ? nil : try Data(contentsOf: url(name)), forKey: name)
        }
        return entries
    }
}

extension ProfileCLI.Outcome {
    /// Whether the output is one sentence on standard error and nothing on standard output.
    var isOneSentence: Bool {
        output.isEmpty && error.hasPrefix("profile-cli: ") && error.hasSuffix("\n")
            && error.count { $0.isNewline } == 1 && !error.contains(". ")
    }

    /// Decodes each line of standard output as a JSON document.
    func documents<Document: Decodable>(_ type: Document.Type = Document.self) throws -> [Document] {
        try lines.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    /// Decodes standard output as one JSON document.
    func document<Document: Decodable>(_ type: Document.Type = Document.self) throws -> Document {
        try #require(lines.count == 1)
        return try JSONDecoder().decode(type, from: Data(output.utf8))
    }
}

/// A user in the JSON output of the program.
struct UserDocument: Decodable, Equatable {
    let id: String
    var mailAddress: String?
    var birthday: String?
}

/// The weather of a city in the JSON output of the program.
struct WeatherDocument: Decodable, Equatable {
    struct Day: Decodable, Equatable {
        let date: String
        let dateLabel: String
        let telop: String
        var lowest: Double?
        var highest: Double?
        var imageURL: String?
    }

    let city: String
    let title: String
    let publishedAt: String
    var description: String?
    let forecasts: [Day]
}

/// Whether /dev/full exists, on which every write fails.
let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")
