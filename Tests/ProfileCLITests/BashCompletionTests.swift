import Foundation
import Testing

/// Tests of completion in an interactive bash, which types a line and presses Tab.
@Suite struct BashCompletionTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// The completion script. A debug build takes a second to generate it.
    private static let script = Task {
        try await ProfileCLI().run("--generate-completion-script", "bash").output
    }

    /// Types a line in bash, presses Tab, and returns the words that bash then executes.
    private func complete(_ line: String) async throws -> String {
        try cli.write(try await Self.script.value, to: "completions")
        let programs = try ProfileCLI.programDirectory.get().path
        let terminal = try Terminal(
            ["/bin/bash", "--norc", "--noprofile", "-i"],
            environment: [
                "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "HOME": cli.home.path, "TERM": "dumb",
                "INPUTRC": "/dev/null", "LC_ALL": "C.UTF-8",
            ], directory: cli.directory.path, columns: 1000)
        terminal.type("source completions; bind 'set enable-bracketed-paste off'; echo ready$((1))\n")
        try await terminal.wait(for: "ready1")
        // Ctrl-A and Ctrl-E move the cursor to the beginning and the end of the line.
        terminal.type("\(line)\t\u{1}printf '<%s>' \u{5} end\n")
        try await terminal.wait(for: "<end>")
        terminal.type("exit\n")
        _ = try await terminal.end()
        let words = terminal.output.split(whereSeparator: \.isNewline).first { $0.contains("<end>") } ?? ""
        return String(words.prefix(upTo: words.firstRange(of: "<end>")?.lowerBound ?? words.endIndex))
    }

    @Test(
        "A store is completed although its path has spaces and follows a colon",
        arguments: [
            ("lm", "lmdb:"), ("lmdb:wi", "lmdb:with space/"), ("lmdb:./wi", "lmdb:./with space/"),
            ("'plist:./with space/pro", "plist:./with space/profiles/"),
            (#""lmdb:./with sp"#, "lmdb:./with space/"),
            (#"lmdb:./with\ space/pro"#, "lmdb:./with space/profiles/"),
        ])
    func stores(_ typed: String, _ completed: String) async throws {
        try FileManager.default.createDirectory(
            at: cli.directory.appending(path: "with space/profiles"), withIntermediateDirectories: true)
        let words = try await complete("profile-cli list --store \(typed)")
        #expect(words == "<profile-cli><list><--store><\(completed)>")
    }

    @Test(
        "Conditions, orders, cities and commands are completed",
        arguments: [
            ("list --where birthd", "<list><--where><birthday>"),
            ("list --where 'birthday < 1990-01-01 and ma", "<list><--where><birthday < 1990-01-01 and mail>"),
            (#"list --where "mail contains 'x:y' and birthd"#, "<list><--where><mail contains 'x:y' and birthday>"),
            ("list --sort 'birthday de", "<list><--sort><birthday desc>"),
            ("forecast show 東", "<forecast><show><東京>"), ("forecast show 27", "<forecast><show><270000>"),
            ("get-m", "<get-mail>"), ("list --form", "<list><--format>"),
            ("list --format=js", "<list><--format=json>"), ("list --store=lm", "<list><--store=lmdb:>"),
            ("list --environment=sta", "<list><--environment=staging>"),
            ("list --environment dev", "<list><--environment><development>"),
            ("--environment staging list --where birthd", "<--environment><staging><list><--where><birthday>"),
            ("-s memory: --json set-m", "<-s><memory:><--json><set-mail>"),
            ("--store=memory: store ch", "<--store=memory:><store><check>"),
            ("--environment dev", "<--environment><development>"), ("--key-f", "<--key-file>"),
            ("-s memory: show --js", "<-s><memory:><show><--json>"),
        ])
    func words(_ typed: String, _ completed: String) async throws {
        #expect(try await complete("profile-cli \(typed)") == "<profile-cli>\(completed)")
    }

    @Test("The name of a file is never executed")
    func hostileName() async throws {
        let directory = cli.directory.appending(path: "files")
        let name = "x$(touch executed)`touch executed`"
        try FileManager.default.createDirectory(
            at: directory.appending(path: name), withIntermediateDirectories: true)
        let words = try await complete("profile-cli list --store lmdb:files/x")
        #expect(words == "<profile-cli><list><--store><lmdb:files/\(name)/>")
        #expect(!FileManager.default.fileExists(atPath: cli.directory.appending(path: "executed").path))
    }
}
