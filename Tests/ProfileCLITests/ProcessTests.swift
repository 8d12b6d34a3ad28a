import DataStoreCore
import Foundation
import Testing
import TestScale

/// Tests of concurrent processes, and of processes that are killed.
@Suite struct ProcessTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    // MARK: Concurrency

    @Test("Saves of concurrent processes are all kept", arguments: StoreKind.allCases)
    func concurrentProcesses(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let (processes, saves) = (4, TestScale.count(3, full: 15))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for process in 0..<processes {
                group.addTask { [cli] in
                    for save in 0..<saves {
                        let user = "\(process)-\(save)"
                        let saved = try await cli.run(
                            "set-mail", "\(user)@example.com", "--user", user, in: store)
                        #expect(saved.code == 0 && saved.error.isEmpty, "\(saved)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let users: [UserDocument] = try await cli.run("list", "--format", "json", in: store).documents()
        #expect(users.count == processes * saves)
        #expect(users.allSatisfy { $0.mailAddress == "\($0.id)@example.com" })
    }

    @Test("A mail address and a birthday that are saved concurrently are both kept", arguments: StoreKind.allCases)
    func concurrentFields(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        for day in 10..<TestScale.count(14, full: 25) {
            async let mail = cli.run("set-mail", "\(day)@example.com", in: store)
            async let birthday = cli.run("set-birthday", "2011-08-\(day)", in: store)
            #expect(try await (mail.code, birthday.code) == (0, 0))
            let user: UserDocument = try await cli.run("show", "--format", "json", in: store).document()
            #expect(user == UserDocument(id: "me", mailAddress: "\(day)@example.com", birthday: "2011-08-\(day)"))
        }
    }

    // MARK: Exhausted resources

    /// The dynamic linker also needs descriptors, address space and, without them, exits with 127.
    @Test(
        "With too few descriptors or too little address space, a save succeeds, or changes nothing and exits with 74",
        .timeLimit(.minutes(10)), arguments: StoreKind.allCases)
    func exhaustedResources(_ kind: StoreKind) async throws {
        let limits = (3...20).map { "-n \($0)" } + stride(from: 60_000, to: 300_000, by: 10_000).map { "-v \($0)" }
        for (limit, isNew) in limits.flatMap({ [($0, true), ($0, false)] }) {
            let name = "store \(limit) \(isNew)"
            let store = cli.store(kind, name)
            if !isNew { try await cli.run("set-birthday", "2011-08-01", in: store) }
            let outcome = try await cli.shell(
                "ulimit \(limit); exec profile-cli set-mail vision@example.com --store '\(store.text)'")
            let saved = try await cli.using(kind, name) { store in
                try await store.read { try $0.record(for: Key(collection: "users", id: "me")) }?["mailAddress"]
            }
            switch outcome.code {
            case 0: #expect(saved == .string("vision@example.com") && outcome.error.isEmpty, "\(limit): \(outcome)")
            case 74: #expect(saved == nil && outcome.isOneSentence, "\(limit): \(outcome)")
            default: #expect(outcome.code == 127 && saved == nil, "\(limit): \(outcome)")
            }
        }
    }

    @Test("An import that runs out of file descriptors ends with a message", arguments: StoreKind.allCases)
    func exhaustedDescriptorsOfImport(_ kind: StoreKind) async throws {
        // More lines than one transaction saves.
        try cli.write((1...12_000).map { "{\"id\": \"user\($0)\"}\n" }.joined(), to: "users.jsonl")
        for count in 8...16 {
            let store = cli.store(kind, "store \(count)")
            let outcome = try await cli.shell(
                "ulimit -n \(count); exec profile-cli import users.jsonl --store '\(store.text)'")
            #expect([0, 74, 127].contains(outcome.code), "\(count): \(outcome)")
        }
    }

    // MARK: Kills

    @Test("A killed process leaves a store with each earlier save", arguments: StoreKind.allCases)
    func killedProcess(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        // Measures how long a run takes, so that it can be killed at any moment.
        let clock = ContinuousClock()
        var duration = try await clock.measure { try await cli.run("list", in: store) }
        var saved: Set<String> = []
        let killCount = TestScale.count(5, full: 20)
        var (kills, tries) = (0, 0)
        while kills < killCount, tries < 10 * killCount {
            tries += 1
            let (first, second) = ("killed\(tries)", "whole\(tries)")
            let code = try await cli.runAndKill(
                "set-mail", "vision@example.com", "--user", first, in: store,
                after: duration * Double.random(in: 0..<1))
            #expect(code == 0 || code == 137)
            if code == 0 { saved.insert(first) } else { kills += 1 }
            // Neither a lock nor a partial file blocks the next process.
            let start = clock.now
            let next = try await cli.run("set-mail", "vision@example.com", "--user", second, in: store)
            duration = start.duration(to: clock.now)
            #expect(next.code == 0, "\(next)")
            saved.insert(second)
            let list = try await cli.run("list", "--format", "json", in: store)
            #expect(list.code == 0, "\(list)")
            let users: [UserDocument] = try list.documents()
            #expect(saved.isSubset(of: users.map(\.id)))
            #expect(users.allSatisfy { $0.mailAddress == "vision@example.com" })
        }
        #expect(kills == killCount, "of \(tries) tries")
    }

    // MARK: Standard streams

    @Test("A store is intact after commands whose standard streams were closed", arguments: StoreKind.allCases)
    func closedStreams(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "a@example.com", in: store)
        for streams in ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
            for command in ["list", "count --verbose", "export", "set-mail a@example.com --verbose"] {
                let outcome = try await cli.shell("profile-cli \(command) --store '\(store.text)' \(streams)")
                let isWritten = !streams.contains(" >&-") && !streams.hasPrefix(">&-") || command.hasPrefix("set-mail")
                #expect(outcome.code == (isWritten ? 0 : 74), "\(command) \(streams): \(outcome)")
            }
            #expect(try await cli.run("get-mail", in: store).output == "a@example.com\n", "\(streams)")
        }
    }

    @Test("A command need not read its input")
    func unreadInput() async throws {
        let outcome = try await cli.run("help", input: String(repeating: "a", count: 1 << 20))
        #expect(outcome.code == 0)
    }

    @Test("A non-blocking pipe receives the whole output", arguments: ["list", "export"])
    func nonBlockingOutput(_ command: String) async throws {
        let store = cli.store(.lmdb)
        let lines = (0..<20_000).map { "{\"id\":\"user\($0)\",\"mailAddress\":\"user\($0)@example.com\"}\n" }
        try await cli.run("import", in: store, input: lines.joined())
        let program = try ProfileCLI.programDirectory.get().appending(path: "profile-cli")
        let pipe = Pipe()
        let output = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK) == 0)
        let process = Process()
        process.executableURL = program
        process.arguments = [command, "--store", store.text]
        process.currentDirectoryURL = cli.directory
        process.standardOutput = pipe
        try process.run()
        // The program fills the pipe before the reader begins.
        try await Task.sleep(for: .milliseconds(200))
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.split(separator: "\n").count >= 20_000)
    }

    // MARK: Permissions

    @Test("New stores and directories are private to their owner", arguments: StoreKind.allCases)
    func permissions(_ kind: StoreKind) async throws {
        let store = cli.store(kind, kind == .lmdb ? "new" : "new/store")
        let outcome = try await cli.shell(
            "umask 0; exec profile-cli set-mail vision@example.com --store '\(store.text)'")
        #expect(outcome.code == 0)
        let manager = FileManager.default
        let paths = try manager.subpathsOfDirectory(atPath: cli.url("new").path).map { cli.url("new/\($0)").path }
        #expect(paths.count == 2)
        for path in paths + [cli.url("new").path] {
            let attributes = try manager.attributesOfItem(atPath: path)
            let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isDirectory ? 0o700 : 0o600), "\(path)")
        }
    }
}
