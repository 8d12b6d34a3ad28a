import Foundation
import Testing

/// Tests that the guide of repositories, units of work and snapshots lists everything that they offer.
@Suite struct RepositoryGuideTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    private static let sources = root.appending(path: "Sources/UserProfileDomain")

    private let guide: String

    init() throws {
        let folder = Self.root.appending(path: "Sources/UserProfileKit/UserProfileKit.docc")
        guide = try String(contentsOf: folder.appending(path: "UnitsOfWork.md"), encoding: .utf8)
    }

    @Test("The table names each function, and where it is available")
    func functions() throws {
        var names: [String: Set<String>] = [:]
        for file in [
            "Repository", "Repository+Entities", "Repository+Aggregates", "Repository+Groups", "Snapshot", "UnitOfWork",
        ] {
            let url = Self.sources.appending(path: "Repositories/\(file).swift")
            var type = ""
            for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
                if let match = line.firstMatch(of: /^(?:public protocol|extension|private struct|public struct) (\w+)/)
                {
                    type = String(match.1)
                }
                guard let match = line.firstMatch(of: /^    (public )?func (\w+)/) else { continue }
                if ["Repository", "SnapshotRepository", "UnitOfWorkRepository"].contains(type) {
                    names[String(match.2), default: []].insert(type)
                }
            }
        }
        #expect(names.count > 20)
        let rows = guide.split(separator: "\n").filter { $0.hasPrefix("|") }
        for (name, types) in names {
            let row = try #require(rows.first { $0.contains("`\(name)(") }, "\(name) is not in the table")
            let place = row.split(separator: "|").last.map { $0.trimmingCharacters(in: .whitespaces) }
            let expected =
                types.contains("SnapshotRepository")
                ? "all" : types.contains("UnitOfWorkRepository") ? "repository, unit of work" : "repository"
            #expect(place == expected, "\(name)")
        }
    }

    @Test("The table names each code of an error")
    func codes() throws {
        let url = Self.sources.appending(path: "Errors/RepositoryError.swift")
        let codes = try String(contentsOf: url, encoding: .utf8).matches(of: /\n        case (\w+)/).map(\.1)
        #expect(codes.count == 7)
        for code in codes { #expect(guide.contains("\n| `\(code)` |"), "\(code)") }
    }
}
