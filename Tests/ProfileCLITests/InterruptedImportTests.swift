import Foundation
import Testing
import TestScale

/// Tests of imports that are killed or interrupted, and then resumed.
@Suite struct InterruptedImportTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private func lines(_ numbers: Range<Int>) -> String {
        numbers.map { "{\"id\":\"\($0)\",\"mailAddress\":\"user\($0)@example.com\"}\n" }.joined()
    }

    /// Returns the option that resumes an import, or an option without effect if no import was interrupted.
    private func resuming(_ store: Store) async throws -> String {
        try await cli.run("record", "list", "imports", in: store).code == 0 ? "--resume" : "--on-error=stop"
    }

    @Test("An import that is killed resumes, and the store is equal in the end", arguments: StoreKind.allCases)
    func killedImport(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let killCount = TestScale.count(2, full: 5)
        let count = kind == .lmdb ? TestScale.count(5_000, full: 20_000) : TestScale.count(1_000, full: 2_000)
        try cli.write(lines(0..<count), to: "users")
        let clock = ContinuousClock()
        var duration = try await clock.measure {
            try await cli.run("import", "users", "--batch", "100", in: cli.store(kind, "measured"))
        }
        var (kills, tries) = (0, 0)
        while kills < killCount, tries < 10 * killCount {
            tries += 1
            let code = try await cli.runAndKill(
                "import", "users", resuming(store), "--batch", "100", in: store,
                after: duration * Double.random(in: 0.05..<0.6))
            // The machine may have been busier during the measurement.
            if code == 137 { kills += 1 } else { duration = duration * 0.6 }
        }
        #expect(kills == killCount)
        #expect(try await cli.run("import", "users", resuming(store), "--batch", "100", in: store).code == 0)
        let whole = try await cli.run("export", in: cli.store(kind, "measured"))
        #expect(whole.lines.count == count)
        #expect(try await cli.run("export", in: store).output == whole.output)
    }

    @Test("An import that is killed resumes after the saved lines")
    func resumedPosition() async throws {
        let store = cli.store(.lmdb)
        let pipe = cli.url("users")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        let terminal = try cli.terminal("import", "users", "--batch", "100", in: store)
        let writer = try FileHandle(forUpdating: pipe)
        try writer.write(contentsOf: Data(lines(0..<250).utf8))
        try await terminal.wait(for: "profile-cli: 100 profiles")
        // The second batch may be in progress; the last lines are in no batch.
        kill(terminal.process, SIGKILL)
        #expect(try await terminal.end() == 137)
        try writer.close()
        try FileManager.default.removeItem(at: pipe)
        let saved = try await cli.run("list", in: store).lines.count
        #expect(saved == 100 || saved == 200)
        // Saved lines are not imported again, so the user remains deleted.
        try await cli.run("delete", "--yes", "--user", "7", in: store)
        try cli.write(lines(0..<300), to: "users")
        let resumed = try await cli.run("import", "users", "--resume", in: store)
        #expect(resumed.code == 0 && resumed.error.contains("imported 300 profiles"), "\(resumed.error)")
        #expect(try await cli.run("list", in: store).lines.count == 299)
    }

    @Test("An ignored signal does not end an import")
    func ignoredSignal() async throws {
        let store = cli.store(.lmdb)
        let pipe = cli.url("users")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        let terminal = try cli.terminal("import", "users", "--batch", "100", in: store, ignoring: "HUP")
        let writer = try FileHandle(forUpdating: pipe)
        try writer.write(contentsOf: Data(lines(0..<250).utf8))
        try await terminal.wait(for: "profile-cli: 100 profiles")
        // The terminal is closed. Under nohup the program ignores SIGHUP.
        kill(terminal.process, SIGHUP)
        try writer.write(contentsOf: Data(lines(250..<300).utf8))
        try writer.close()
        #expect(try await terminal.end() == 0, "\(terminal.output)")
        #expect(try await cli.run("list", in: store).lines.count == 300)
    }

    @Test("Ctrl-C ends an import with a message about the saved lines", arguments: StoreKind.allCases)
    func interrupt(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let pipe = cli.url("users")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        let terminal = try cli.terminal("import", "users", "--batch", "100", in: store)
        let writer = try FileHandle(forUpdating: pipe)
        try writer.write(contentsOf: Data(lines(0..<250).utf8))
        try await terminal.wait(for: "profile-cli: 100 profiles")
        terminal.type("\u{3}")
        // The same status as of a program without a signal handler.
        #expect(try await terminal.end() == 128 + SIGINT)
        // The second batch may not be saved yet.
        let saved = [100, 200].filter {
            terminal.output.contains("up to line \($0); continue with --resume\r\n")
        }
        #expect(saved.count == 1, "\(terminal.output)")
        try writer.close()
        #expect(try await cli.run("list", in: store).lines.count == saved.first)
    }
}
