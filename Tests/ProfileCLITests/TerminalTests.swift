import DataStoreCore
import Foundation
import ProfileFormats
import Synchronization
import Testing

/// Tests of the output on a terminal.
@Suite struct TerminalTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private final class Flags: Sendable {
        let isLocked = Atomic(false)
        let isReleased = Atomic(false)
    }

    @Test("Progress fits the width of the terminal when it changes")
    func progressWidth() async throws {
        let store = cli.store(.lmdb)
        let pipe = cli.url("users")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        let terminal = try cli.terminal("import", "users", "--batch", "1", in: store, columns: 60)
        let writer = try FileHandle(forUpdating: pipe)
        var number = 0
        let start = "\r\u{1B}[K"
        /// Writes profiles until the given number of progress lines has appeared, and returns them.
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
        // The first lines may have been written before the terminal was resized.
        let narrow = try await show(5).dropFirst(2)
        #expect(narrow.allSatisfy { $0.hasPrefix("profile-cli: ") && $0.count <= 23 }, "\(narrow)")
        try writer.close()
        #expect(try await terminal.end() == 0)
        #expect(terminal.output.contains("profile-cli: imported "))
    }

    @Test("list cuts the widest cells to the width of the terminal, and nothing in a pipe")
    func listWidth() async throws {
        let store = cli.store(.plist)
        let address = "\(String(repeating: "a", count: 60))@example.com"
        try await cli.run("set-mail", address, "--user", "short", in: store)
        try await cli.run("set-birthday", "2000-01-02", "--user", "京都京都京都京都京都京都京都京都", in: store)
        let piped = try await cli.run("list", in: store)
        #expect(piped.lines.contains("short\t\(address)\t"))
        for (columns, cut) in [(200, false), (60, true), (44, true)] {
            let terminal = try cli.terminal("list", in: store, columns: columns)
            #expect(try await terminal.end() == 0)
            let lines = terminal.output.split(whereSeparator: \.isNewline)
            #expect(lines.count == 3 && lines[0].hasPrefix("id ") && lines[0].hasSuffix("birthday"))
            #expect(lines.contains { $0.contains("…") } == cut && lines.contains { $0.contains(address) } == !cut)
            #expect(lines.allSatisfy { String($0).displayWidth <= columns }, "\(lines)")
            #expect(lines.contains { $0.hasSuffix("2000-01-02") })
        }
    }

    @Test("A command that waits for a lock says so, and continues when the lock is free", arguments: StoreKind.allCases)
    func lockedStore(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let flags = Flags()
        try await cli.using(kind) { locked in
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await locked.write { transaction in
                        try transaction.put([:], for: Key(collection: "notes", id: "1"))
                        flags.isLocked.store(true, ordering: .sequentiallyConsistent)
                        while !flags.isReleased.load(ordering: .sequentiallyConsistent) { usleep(1000) }
                    }
                }
                defer { flags.isReleased.store(true, ordering: .sequentiallyConsistent) }
                while !flags.isLocked.load(ordering: .sequentiallyConsistent) {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let terminal = try cli.terminal("set-birthday", "2011-08-01", in: store)
                try await terminal.wait(for: "profile-cli: waiting for process \(getpid()), which has locked ")
                flags.isReleased.store(true, ordering: .sequentiallyConsistent)
                #expect(try await terminal.end() == 0)
            }
        }
        #expect(try await cli.run("get-birthday", in: store).lines == ["2011-08-01"])
    }

    @Test("Ctrl-C ends a command that waits for a lock, and says so", arguments: StoreKind.allCases)
    func interruptedWait(_ kind: StoreKind) async throws {
        let (store, other) = (cli.store(kind), cli.store(.plist, "other"))
        for each in [store, other] { try await cli.run("set-mail", "vision@example.com", in: each) }
        let flags = Flags()
        try await cli.using(kind) { locked in
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await locked.write { transaction in
                        try transaction.put([:], for: Key(collection: "notes", id: "1"))
                        flags.isLocked.store(true, ordering: .sequentiallyConsistent)
                        while !flags.isReleased.load(ordering: .sequentiallyConsistent) { usleep(1000) }
                    }
                }
                defer { flags.isReleased.store(true, ordering: .sequentiallyConsistent) }
                while !flags.isLocked.load(ordering: .sequentiallyConsistent) {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let copy = ["store", "copy", other.text, store.text, "--replace", "--yes"]
                let terminal = try cli.terminal(copy, in: nil)
                try await terminal.wait(for: "profile-cli: waiting for process ")
                terminal.type("\u{3}")
                #expect(try await terminal.end() == 128 + SIGINT)
                #expect(terminal.output.contains("interrupted while waiting for the lock"))
            }
        }
        #expect(try await cli.run("get-mail", in: store).lines == ["vision@example.com"])
    }

    @Test("store check shows its progress")
    func checkProgress() async throws {
        let store = cli.store(.lmdb)
        let lines = (0..<2000).map { "{\"id\":\"user\($0)\"}\n" }
        try await cli.run("import", in: store, input: lines.joined())
        let terminal = try cli.terminal("store", "check", in: store)
        #expect(try await terminal.end() == 0)
        #expect(terminal.output.contains("profile-cli: checking the file"))
        #expect(terminal.output.contains("profile-cli: checking the records: 1,000 of 2,000 records"))
        #expect(terminal.output.contains("profile-cli: checking the index users by "))
    }

    @Test("Progress shows the rate and the remaining time")
    func progress() async throws {
        let store = cli.store(.lmdb)
        try cli.write((0..<50_000).map { "{\"id\":\"\($0)\"}\n" }.joined(), to: "users")
        let terminal = try cli.terminal("import", "users", "--batch", "500", in: store)
        #expect(try await terminal.end() == 0)
        #expect(terminal.output.contains(/profiles, [0-9,]+\/s, .* left/), "\(terminal.output)")
    }
}

/// Tests of confirmations, colors and mistyped commands.
@Suite struct AskingTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test("delete asks for confirmation on a terminal")
    func confirmation() async throws {
        let store = cli.store(.plist)
        try await cli.run("set-mail", "vision@example.com", in: store)
        for answer in ["n\r", "\r", "\u{4}", "yo\r"] {
            let terminal = try cli.terminal("delete", in: store)
            try await terminal.wait(for: "delete the user me (vision@example.com)? [y/N] ")
            terminal.type(answer)
            #expect(try await terminal.end() == 1)
            #expect(terminal.output.contains("nothing was changed"))
        }
        let interrupted = try cli.terminal("delete", in: store)
        try await interrupted.wait(for: "[y/N] ")
        interrupted.type("\u{3}")
        #expect(try await interrupted.end() == 128 + SIGINT)
        #expect(try await cli.run("get-mail", in: store).code == 0)
        let confirmed = try cli.terminal("delete", in: store)
        try await confirmed.wait(for: "[y/N] ")
        confirmed.type("Y\r")
        #expect(try await confirmed.end() == 0)
        #expect(try await cli.run("get-mail", in: store).code == 1)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let unasked = try await cli.run("delete", in: store)
        #expect(unasked.code == 64 && unasked.error.contains("pass --yes to delete the user me"))
        let terminal = try cli.terminal("delete", "-y", in: store)
        #expect(try await terminal.end() == 0)
        #expect(terminal.output.isEmpty, "a question was printed: \(terminal.output)")
    }

    @Test("Failures have a color on a terminal")
    func colors() async throws {
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(.lmdb))
        let red = "\u{1B}[1;31mprofile-cli:\u{1B}[0m"
        for (variables, isRed) in [
            ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
        ] {
            for (option, code, message) in [("--verbose", 1, "no mail address"), ("--colour", 64, "unknown option")] {
                let terminal = try cli.terminal("get-mail", option, in: cli.store(.lmdb), with: variables)
                #expect(try await terminal.end() == code)
                #expect(terminal.output.contains((isRed ? red : "profile-cli:") + " \(message)"))
                #expect(terminal.output.contains("\u{1B}") == isRed)
            }
        }
    }

    @Test(
        "A mistyped command is an error that suggests the command",
        arguments: [
            (["get-mial"], "get-mail"), (["shwo"], "show"), (["forcast", "list"], "forecast"),
            (["store", "chekc"], "check"),
            (["help", "improt"], "import"), (["hlep"], "help"),
        ])
    func suggestion(_ arguments: [String], _ meant: String) async throws {
        let outcome = try await cli.run(arguments)
        let lines = outcome.error.split(separator: "\n")
        #expect(outcome.code == 64 && lines.count == 2 && lines[0].hasPrefix("profile-cli: unknown command '"))
        #expect(lines[0].hasSuffix("; did you mean '\(meant)'?"), "\(outcome.error)")
    }

    @Test("A word that resembles no command gets no suggestion")
    func noSuggestion() async throws {
        let outcome = try await cli.run("天気")
        #expect(outcome.code == 64 && outcome.error.hasSuffix("\nSee 'profile-cli --help'.\n"))
    }
}
