import Foundation
import Subprocess
import Testing

/// Tests of the command `watch`.
@Suite struct WatchCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// A user in the JSON output of `watch`.
    private struct State: Decodable, Equatable {
        let id: String
        var isSaved: Bool?
        var mailAddress: String?
        var birthday: String?
    }

    /// Several users in the JSON output of `watch`.
    private struct States: Decodable, Equatable {
        let users: [UserDocument]
    }

    @Test("watch prints the user immediately and after each change", arguments: StoreKind.allCases)
    func updates(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-birthday", "2000-01-01", "--user", "first", in: store)
        let code = try await cli.watch("watch", "--user", "vision", "--json", in: store) { watch in
            #expect(try await watch.next() == State(id: "vision", isSaved: false))
            try await cli.run("set-mail", "vision@example.com", "--user", "vision", in: store)
            #expect(
                try await watch.next() == State(id: "vision", mailAddress: "vision@example.com"))
            // Saves of another user, or of the same value, produce no output.
            try await cli.run("set-mail", "other@example.com", "--user", "other", in: store)
            try await cli.run("set-mail", "vision@example.com", "--user", "vision", in: store)
            try await cli.run("set-birthday", "2011-08-01", "--user", "vision", in: store)
            #expect(
                try await watch.next()
                    == State(id: "vision", mailAddress: "vision@example.com", birthday: "2011-08-01"))
            try await cli.run("delete", "--yes", "--user", "vision", in: store)
            #expect(try await watch.next() == State(id: "vision", isSaved: false))
            try watch.send(.interrupt)
            #expect(try await watch.line() == nil)
        }
        #expect(code == 128 + SIGINT)
    }

    @Test("watch prints the users that meet a condition")
    func condition() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-birthday", "2000-01-01", "--user", "first", in: store)
        let code = try await cli.watch(
            "watch", "--where", "birthday < 1990-01-01", "--sort", "birthday desc", "--json", in: store
        ) { watch in
            #expect(try await watch.next() == States(users: []))
            for (id, birthday) in [("a", "1980-01-01"), ("b", "2000-01-01"), ("c", "1985-01-01")] {
                try await cli.run("set-birthday", birthday, "--user", id, in: store)
            }
            var last = try await watch.next(States.self)
            while last?.users.count == 1 { last = try await watch.next() }
            #expect(
                last
                    == States(users: [
                        UserDocument(id: "c", birthday: "1985-01-01"), UserDocument(id: "a", birthday: "1980-01-01"),
                    ]))
            try watch.send(.terminate)
            #expect(try await watch.line() == nil)
        }
        #expect(code == 128 + SIGTERM)
    }

    @Test("The text output has the columns of the list")
    func columns() async throws {
        let store = cli.store(.plist)
        try await cli.run("set-birthday", "2000-01-01", "--user", "first", in: store)
        let code = try await cli.watch("watch", in: store) { watch in
            #expect(try await watch.line() == "me")
            try await cli.run("set-mail", "vision@example.com", in: store)
            #expect(try await watch.line() == "me\tvision@example.com\t")
            // A character that changes the text direction is replaced, as in a list.
            try await cli.run("set-mail", "a\u{202E}b@example.com", in: store)
            #expect(try await watch.line() == "me\ta\u{FFFD}b@example.com\t")
            try await cli.run("set-mail", "vision@example.com", in: store)
            #expect(try await watch.line() == "me\tvision@example.com\t")
            try watch.send(.interrupt)
        }
        #expect(code == 128 + SIGINT)
        let users = try await cli.watch("watch", "--where", "mail exists", in: store) { watch in
            #expect(try await watch.line() == "me\tvision@example.com\t")
            #expect(try await watch.line()?.isEmpty == true)
            try watch.send(.interrupt)
        }
        #expect(users == 128 + SIGINT)
    }

    @Test("watch ends without a message when its reader ends")
    func closedPipe() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "0@example.com", in: store)
        let outcome = try await cli.shell(
            """
            (timeout 300 profile-cli watch --json --store '\(store.text)'; echo "ended with $?" >&2) | head -n 1
            """)
        #expect(outcome.error == "ended with 141\n")
    }

    @Test(
        "A signal ends a command whose reader does not read",
        arguments: ["export", "export pipe", "watch --where 'mail exists'"], ["TERM", "HUP"])
    func blockedOutput(_ command: String, _ signal: String) async throws {
        let store = cli.store(.lmdb)
        let users = (0..<3000).map { "{\"id\":\"\($0)\",\"mailAddress\":\"user\($0)@example.com\"}\n" }.joined()
        try await cli.run("import", in: store, input: users)
        // The output does not fit into the pipe. The shell keeps the pipe open, and reads only the first byte.
        let outcome = try await cli.shell(
            """
            mkfifo pipe
            exec 3<>pipe
            profile-cli \(command) --store '\(store.text)' >pipe 3>&- &
            head -c 1 <&3 >first
            program=$!
            kill -\(signal) $program
            (sleep 120; kill -KILL $program) >/dev/null 2>&1 3>&- &
            watchdog=$!
            wait $program
            code=$?
            kill $watchdog
            exit $code
            """)
        #expect(outcome.code == 128 + (signal == "TERM" ? SIGTERM : SIGHUP), "\(outcome)")
    }

    @Test("watch ends with an error when the store is damaged")
    func damagedStore() async throws {
        let store = cli.store(.plist)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let code = try await cli.watch("watch", in: store) { watch in
            #expect(try await watch.line() == "me\tvision@example.com\t")
            let good = try Data(contentsOf: cli.url("store"))
            try good.prefix(good.count / 2).write(to: cli.url("store"), options: .atomic)
            #expect(try await watch.line() == nil)
        }
        #expect(code == 74)
    }

    @Test(
        "Invalid options are usage errors",
        arguments: [
            ["watch", "vision"], ["watch", "--sort", "mail"], ["watch", "--limit", "3"],
            ["watch", "--where", "mail exists", "--user", "vision"],
            ["watch", "--where", "mail exists", "--limit", "0"], ["watch", "--where", "mail"],
        ])
    func usage(_ arguments: [String]) async throws {
        let outcome = try await cli.run(arguments, in: cli.store(.lmdb))
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(try cli.snapshot().keys.filter { $0.hasPrefix("store") }.isEmpty)
    }
}

/// The running program.
struct RunningProgram {
    fileprivate typealias Running = Execution<NoInput, SequenceOutput, DiscardedOutput>
    fileprivate let execution: Running
    fileprivate var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

    /// Returns the next line of output, or `nil` when the program has ended.
    mutating func line() async throws -> String? { try await lines.next() }

    /// Returns the next line, decoded as a JSON document.
    mutating func next<Document: Decodable>(_ type: Document.Type = Document.self) async throws -> Document? {
        try await line().map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    func send(_ signal: Signal) throws { try execution.send(signal: signal) }
}

extension ProfileCLI {
    /// Runs the program while a closure reads its output. If it exceeds a long time limit, it is killed.
    ///
    /// - Returns: The exit code.
    func watch(
        _ arguments: String..., in store: Store, _ body: (inout RunningProgram) async throws -> Void
    ) async throws -> Int32 {
        try await start(arguments, in: store) { execution in
            let watchdog = Task { [execution] in
                try await Task.sleep(for: .seconds(900))
                try execution.send(signal: .kill)
            }
            var program = RunningProgram(
                execution: execution, lines: execution.standardOutput.strings().makeAsyncIterator())
            do {
                try await body(&program)
            } catch {
                // The program runs until a signal ends it.
                try execution.send(signal: .kill)
                throw error
            }
            while try await program.line() != nil {}
            watchdog.cancel()
        }
    }
}
