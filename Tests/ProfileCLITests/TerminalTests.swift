import Foundation
import Testing

/// What a person sees at a terminal.
@Suite struct TerminalTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test func progressFitsTheTerminalAndItsNewWidth() async throws {
        let store = cli.store(.lmdb)
        let pipe = cli.place("users")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        let terminal = try cli.terminal("import", "users", "--batch", "1", in: store, columns: 60)
        let writer = try FileHandle(forUpdating: pipe)
        var number = 0
        let start = "\r\u{1B}[K"
        /// Has so many lines of progress shown, a few times a second, as something is saved.
        func show(_ count: Int) async throws -> [Substring] {
            let before = terminal.output.count
            while true {
                let shown = terminal.output.dropFirst(before).split(separator: start)
                if shown.count > count { return Array(shown.dropLast()) }
                try writer.write(contentsOf: Data("{\"id\":\"\(number)\"}\n".utf8))
                number += 1
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        #expect(try await show(4).contains { $0.contains("/s") })
        terminal.resize(columns: 24)
        // The first ones may have been on their way.
        let narrow = try await show(5).dropFirst(2)
        #expect(narrow.allSatisfy { $0.hasPrefix("profile-cli: ") && $0.count <= 23 }, "\(narrow)")
        try writer.close()
        #expect(try await terminal.end() == 0)
        #expect(terminal.output.contains("profile-cli: imported "))
    }

    @Test func progressTellsWhatIsLeft() async throws {
        let store = cli.store(.lmdb)
        try cli.write((0..<50_000).map { "{\"id\":\"\($0)\"}\n" }.joined(), to: "users")
        let terminal = try cli.terminal("import", "users", "--batch", "500", in: store)
        #expect(try await terminal.end() == 0)
        #expect(terminal.output.contains(/profiles, [0-9,]+\/s, .* left/), "\(terminal.output)")
    }
}
