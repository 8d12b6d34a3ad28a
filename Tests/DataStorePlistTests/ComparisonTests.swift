import DataStorePlist
import Foundation
import Testing

/// Tests of the cases that `UserDefaults` on Linux handles wrongly and the store correctly. The same program, without
/// arguments, prints the comparison table.
@Suite struct ComparisonTests {
    static let points = [
        "killed", "full-disk", "torn-file", "processes", "readers", "dates", "control-characters", "unsupported",
        "arguments",
    ]

    @Test("The store succeeds where UserDefaults fails on Linux", arguments: points)
    func comparison(_ point: String) async throws {
        let temporary = ["TMPDIR": FileManager.default.temporaryDirectory.path]
        let (isKept, lines) = try await ComparisonProgram.run("ours", point, with: temporary)
        #expect(isKept, "\(lines)")
    }

    @Test("Each point of the comparison is tested")
    func pointNames() async throws {
        let (_, names) = try await ComparisonProgram.run("points", with: [:])
        #expect(names == Self.points)
    }

    #if os(Linux)
    @Test(
        "A suite is the file that UserDefaults uses",
        arguments: ["com.example.app", "x.plist", "名前 %$", "e\u{301}", "..."])
    func suiteOfUserDefaults(_ name: String) async throws {
        let subject = try PlistSubject()
        let home = subject.directory.path
        for variables in [
            ["HOME": home], ["HOME": home, "XDG_CONFIG_HOME": "\(home)/xdg"], ["HOME": home, "XDG_CONFIG_HOME": ""],
            ["HOME": home, "XDG_CONFIG_HOME": "relative"],
        ] {
            let (isDone, lines) = try await ComparisonProgram.run("suite", name, with: variables)
            let path = try #require(isDone ? lines.first : nil)
            #expect(path.hasPrefix(home))
            let bytes = try Data(contentsOf: URL(filePath: path))
            let root = try unsafe PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
            #expect((root as? [String: String])?["mailAddress"] == "vision@example.com")
            try FileManager.default.removeItem(atPath: path)
        }
    }
    #endif
}
