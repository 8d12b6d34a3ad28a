import Foundation
import Testing

@Suite struct HelpTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Completes as bash does when the user presses Tab.
    @Test(
        "User ids are completed from the store",
        arguments: [
            ("vi", ["vision", "visitor@example.com"]), ("x", []), ("", ["other", "vision", "visitor@example.com"]),
        ])
    func completion(_ beginning: String, _ expected: [String]) async throws {
        let store = cli.store(.lmdb)
        let ids = ["vision", "visitor@example.com", "vi $(date)", "other"]
        for id in ids { try await cli.run("set-birthday", "2011-08-01", "--user", id, in: store) }
        let line = ["profile-cli", "get-mail", "--store", store.text, "--user", beginning]
        let quoted = line.map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await cli.shell(
            """
            exec bash -c '
            source <(profile-cli --generate-completion-script bash)
            function=$(complete -p profile-cli | sed "s/.*-F \\([^ ]*\\).*/\\1/")
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
            "$function" profile-cli "${!#}" "--user"
            printf "%s\\n" "${COMPREPLY[@]}"' bash \(quoted)
            """)
        let completed = outcome.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        #expect(completed.sorted() == expected, "\(outcome)")
    }

    @Test("The newest entry of the changelog has the version of the program")
    func version() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../CHANGELOG.md")
        let changelog = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
        let heading = try #require(changelog.firstMatch(of: #/\n## \[(\d+\.\d+\.\d+)\] - /#))
        let outcome = try await cli.run("--version")
        #expect(outcome.code == 0 && outcome.error.isEmpty && outcome.lines == [String(heading.1)])
    }

    @Test("Help fits the terminal, and its examples are never wrapped")
    func width() async throws {
        let example = "  profile-cli list --where 'birthday >= 1990-01-01' --sort 'birthday desc, mail'"
        for columns in [20, 30, 45, 80, 200] {
            let terminal = try cli.terminal("list", "--help", in: .memory, columns: columns)
            #expect(try await terminal.end() == 0)
            let lines = terminal.output.replacing("\r\n", with: "\n").split(separator: "\n")
            #expect(lines.contains(Substring(example)), "\(columns)")
            // A usage, an indented line and a single word may be wider.
            let wide = lines.filter { $0.count > columns && !$0.hasPrefix("USAGE") && !$0.hasPrefix(" ") }
            let wideLines = wide.filter { $0.contains(" ") }
            #expect(wideLines.isEmpty, "\(columns)")
            let options = lines.drop { !$0.hasPrefix("COMMON OPTIONS") }.filter { $0.hasPrefix("      ") }
            let wideOptions = options.filter { $0.count > columns && $0.dropFirst(26).contains(" ") }
            #expect(wideOptions.isEmpty, "\(columns)")
        }
    }

    @Test("Help that cannot be written exits with 74", .enabled(if: hasFullDevice))
    func fullDevice() async throws {
        let outcome = try await cli.shell("profile-cli --help >/dev/full")
        #expect(outcome.code == 74 && outcome.isOneSentence, "\(outcome)")
    }

    /// The description of the commands that the program prints for other programs.
    private struct Dump: Decodable {
        struct Command: Decodable {
            let commandName: String
            let abstract: String?
            let discussion: String?
            let subcommands: [Command]?
        }
        let command: Command
    }

    @Test("Each command has help with an example")
    func help() async throws {
        let dump = try await cli.run("--experimental-dump-help")
        var commands = [([String](), try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command)]
        var names: [String] = []
        while let (path, command) = commands.popLast() {
            // ArgumentParser's own command, which prints the help of the others.
            let subcommands = (command.subcommands ?? []).filter { $0.commandName != "help" }
            commands += subcommands.map { (path + [$0.commandName], $0) }
            names.append(path.joined(separator: " "))

            #expect(command.abstract?.isEmpty == false, "\(path)")
            let discussion = try #require(command.discussion, "\(path)")
            let parts = discussion.split(separator: /EXAMPLES?\n/)
            try #require(parts.count == 2, "\(path)")
            #expect(parts[1].contains("profile-cli \(path.joined(separator: " "))"), "\(path)")

            let help = try await cli.run(path + ["--help"])
            #expect(help.code == 0 && help.error.isEmpty)
            #expect(help.output.contains("OVERVIEW: \(command.abstract?.prefix(20) ?? "")"))
            #expect(help.output.contains("EXAMPLE") && help.output.contains("USAGE: profile-cli"))
            // Examples and tables are whole lines.
            let lines = Set(help.lines)
            for line in discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(lines.contains(String(line)), "\(path)")
            }
        }
        #expect(
            Set(names).isSuperset(of: [
                "", "set-mail", "get-mail", "set-birthday", "get-birthday", "show", "list", "count", "birthdays",
                "delete", "clear-mail", "clear-birthday", "record", "record get", "record list", "record set",
                "record delete", "setting", "setting get", "setting list", "setting set", "setting reset",
                "import-defaults", "import", "export", "store", "store info", "store indexes", "store indexes list",
                "store indexes drop", "store check", "store backup", "store compact", "store copy", "store migrate",
                "forecast",
                "forecast save", "forecast show", "forecast list", "forecast delete",
                "forecast fetch", "forecast cities", "forecast watch", "store salvage", "store recover", "config",
            ]))
        #expect(try cli.snapshot() == ["home": nil])
    }
}
