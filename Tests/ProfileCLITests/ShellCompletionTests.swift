import Foundation
import Testing

/// Tests of completion in interactive zsh and fish, with options before the command.
@Suite struct ShellCompletionTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private static let start = [
        "zsh": "bindkey -e; autoload -U compinit; compinit -D -u; source ./completions; echo ready$((1))\n",
        "fish": "source ./completions; echo ready(math 1)\n",
    ]

    /// The words that a person has typed, and the word that Tab completes.
    private static let cases = [
        ("set-m", "set-mail"), ("--store memory: set-m", "set-mail"), ("-s memory: --json store ch", "check"),
        ("--environment dev", "development"), ("--key-f", "--key-file"),
        ("--environment staging list --where birthd", "birthday"), ("show --format=js", "--format=json"),
        ("--store plist:team show --user=a", "--user=anna"), ("-s plist:team show --js", "--json"),
    ]

    @Test("Commands and values are completed", arguments: ShellCompletionTests.start.keys.filter(isInstalled))
    func completion(_ shell: String) async throws {
        try await cli.run("set-mail", "a@example.com", "--user", "anna", "--store", "plist:team")
        try cli.write(try await cli.run("--generate-completion-script", shell).output, to: "completions")
        let programs = try ProfileCLI.programDirectory.get().path
        let terminal = try Terminal(
            ["/usr/bin/env", shell, shell == "zsh" ? "-f" : "--no-config"],
            environment: [
                "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "HOME": cli.home.path, "TERM": "dumb",
                "LC_ALL": "C.UTF-8",
            ], directory: cli.directory.path, columns: 1000)
        terminal.type(try #require(Self.start[shell]))
        try await terminal.wait(for: "ready1")
        for (number, (line, word)) in Self.cases.enumerated() {
            // Ctrl-A and Ctrl-E move the cursor to the beginning and the end of the line.
            terminal.type("profile-cli \(line)\t\u{1}printf '<%s>' \u{5} end\(number)\n")
            try await terminal.wait(for: "<end\(number)>")
            #expect(terminal.output.contains("<\(word)><end\(number)>"), "\(line): \(terminal.output)")
        }
        terminal.type("exit\n")
        _ = try await terminal.end()
    }
}

private func isInstalled(_ shell: String) -> Bool {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + shell)
    }
}
