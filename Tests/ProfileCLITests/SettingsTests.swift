import Foundation
import Testing

@Suite struct SettingsTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// The sources of a setting, by descending precedence.
    enum Source: Int, CaseIterable {
        case option, variable, file
    }

    private func writeConfiguration(_ members: [String: String], in directory: String = "home/.config") throws {
        try cli.write(try JSONEncoder().encode(members), to: "\(directory)/profile-cli/config.json")
    }

    /// Returns whether a store exists at a path.
    private func isStore(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: cli.url(name).appending(path: "data.mdb").path)
    }

    // MARK: Precedence

    @Test("The option for the store precedes the variable, which precedes the file", arguments: Source.allCases)
    func storePrecedence(_ strongest: Source) async throws {
        try writeConfiguration(["store": cli.store(.lmdb, "file").text])
        let outcome = try await cli.run(
            "set-mail", "vision@example.com", in: strongest == .option ? cli.store(.lmdb, "option") : nil,
            with: strongest == .file ? [:] : ["PROFILE_STORE": cli.store(.lmdb, "variable").text])
        #expect(outcome.code == 0)
        let made = ["option", "variable", "file"].filter(isStore)
        #expect(made == ["\(strongest)"])
        #expect(!isStore("home/.local/share/profile-cli"))
    }

    @Test("The option for the user precedes the variable, which precedes the file", arguments: Source.allCases)
    func userPrecedence(_ strongest: Source) async throws {
        try writeConfiguration(["user": "file"])
        try await cli.run(
            ["set-mail", "vision@example.com"] + (strongest == .option ? ["--user", "option"] : []),
            in: cli.store(.plist), with: strongest == .file ? [:] : ["PROFILE_USER": "variable"])
        #expect(try await cli.run("list", in: cli.store(.plist)).lines == ["\(strongest)\tvision@example.com\t"])
    }

    @Test("Without settings the store is an LMDB environment in the home directory")
    func defaults() async throws {
        #expect(try await cli.run("set-mail", "vision@example.com").code == 0)
        #expect(isStore("home/.local/share/profile-cli"))
        #expect(try await cli.run("list").lines == ["me\tvision@example.com\t"])
    }

    @Test("Data and configuration are in the XDG directories")
    func xdgDirectories() async throws {
        try writeConfiguration(["user": "vision"], in: "configuration")
        try writeConfiguration(["user": "other"])
        let variables = [
            "XDG_DATA_HOME": cli.url("data").path, "XDG_CONFIG_HOME": cli.url("configuration").path,
        ]
        #expect(try await cli.run("set-mail", "vision@example.com", with: variables).code == 0)
        #expect(isStore("data/profile-cli") && !isStore("home/.local/share/profile-cli"))
        #expect(try await cli.run("list", with: variables).lines == ["vision\tvision@example.com\t"])
    }

    // MARK: Values that count as missing

    @Test("An empty variable counts as unset")
    func emptyVariable() async throws {
        let variables = ["PROFILE_STORE": "", "PROFILE_USER": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""]
        try writeConfiguration(["user": "vision"])
        #expect(try await cli.run("set-mail", "vision@example.com", with: variables).code == 0)
        #expect(isStore("home/.local/share/profile-cli"))
        #expect(try await cli.run("list").lines == ["vision\tvision@example.com\t"])
    }

    @Test("A relative XDG path is ignored")
    func relativeXDGPath() async throws {
        try writeConfiguration(["user": "relative"], in: "configuration")
        let variables = ["XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "./configuration"]
        #expect(try await cli.run("set-mail", "vision@example.com", with: variables).code == 0)
        #expect(isStore("home/.local/share/profile-cli") && !isStore("data/profile-cli"))
        #expect(try await cli.run("list").lines == ["me\tvision@example.com\t"])
    }

    @Test("A tilde in a location is the home directory")
    func tilde() async throws {
        try await cli.run("set-mail", "vision@example.com", in: cli.store(.plist, "home/profile.plist"))
        // The program only reads, because it would write to the real home directory if it resolved the tilde
        // incorrectly.
        let outcome = try await cli.run("get-mail", in: Store(text: "plist:~/profile.plist"))
        #expect(outcome.output == "vision@example.com\n")
    }

    // MARK: Wrong settings

    @Test("A relative HOME is an error, and nothing is created in the working directory")
    func relativeHome() async throws {
        let before = try cli.snapshot()
        for store in [nil, Store(text: "plist:~/profile.plist")] {
            let outcome = try await cli.run("set-mail", "vision@example.com", in: store, with: ["HOME": "place"])
            #expect(outcome.code == 65 && outcome.isOneSentence, "\(outcome)")
            #expect(outcome.error.contains("HOME is not an absolute path: place"), "\(outcome)")
        }
        #expect(try cli.snapshot() == before)
    }

    @Test("A condition nested too deeply, or a small stack, is an error and not a crash")
    func nestedConditions() async throws {
        let parentheses = String(repeating: "(", count: 900) + "id = a" + String(repeating: ")", count: 900)
        let nested = (0..<98).reduce("id = a") { "(id = b \($1.isMultiple(of: 2) ? "and" : "or") \($0))" }
        let tooDeep = try await cli.shell("ulimit -s 1024; profile-cli list --where '\(parentheses)' --store memory:")
        #expect(tooDeep.code == 64 && tooDeep.error.contains("more than 100 deep"), "\(tooDeep)")
        let deep = try await cli.shell("ulimit -s 1024; profile-cli list --where '\(nested)' --store memory:")
        #expect(deep.code == 0, "\(deep)")
        let small = try await cli.shell("ulimit -s 64; profile-cli list --where '\(parentheses)' --store memory:")
        #expect(small.code == 74 && small.isOneSentence && small.error.contains("ulimit -s"), "\(small)")
    }

    @Test(
        "A broken configuration file is named and nothing changes",
        arguments: [
            #"{"store": "#, #"{"store": 3}"#, "[]", "", #"{"user": ["me"]}"#, #"{"user": "a",}"#,
            #"{"user": "a", "user": "b"}"#,
        ])
    func brokenFile(_ text: String) async throws {
        let file = try cli.write(text, to: "home/.config/profile-cli/config.json")
        let before = try cli.snapshot()
        let outcome = try await cli.run("set-mail", "vision@example.com", in: cli.store(.plist))
        #expect(outcome.code == 78 && outcome.isOneSentence && outcome.error.contains(file.path))
        #expect(try cli.snapshot() == before)
    }

    @Test("A configuration file that is a FIFO or a directory exits with 66", arguments: [true, false])
    func notAFile(_ isFIFO: Bool) async throws {
        let file = try cli.write("", to: "home/.config/profile-cli/config.json")
        try FileManager.default.removeItem(at: file)
        if isFIFO {
            try #require(unsafe mkfifo(file.path, 0o600) == 0)
        } else {
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        }
        let outcome = try await cli.run("list")
        #expect(outcome.code == 66 && outcome.isOneSentence)
        #expect(outcome.error.hasSuffix("the configuration file \(file.path): not a regular file\n"))
    }

    @Test("An invalid user exits with 65, and the error names the setting")
    func invalidUser() async throws {
        let user = String(repeating: "é", count: 101)
        let outcome = try await cli.run("list", with: ["PROFILE_USER": user])
        #expect(outcome.code == 65 && outcome.isOneSentence && outcome.error.contains("PROFILE_USER"))
        let option = try await cli.run("show", "--user", user)
        #expect(option.code == 65 && option.isOneSentence)
    }
}
