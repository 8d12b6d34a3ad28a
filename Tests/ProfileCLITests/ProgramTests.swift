import Foundation
import Testing
import WebTesting

/// Tests of the commands that `profile-cli` delegates to `profile-cli-online`.
@Suite struct ProgramTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test func sameCommands() async throws {
        let dumps = try await [
            cli.shell("profile-cli --experimental-dump-help"), cli.shell("profile-cli-online --experimental-dump-help"),
        ]
        #expect(dumps[0].code == 0 && dumps[0].output == dumps[1].output)
    }

    @Test(arguments: [
        "list --store nowhere:here", "store copy nowhere:here memory:", "store copy memory: nowhere:here",
    ])
    func unknownScheme(_ arguments: String) async throws {
        let outcome = try await cli.shell("profile-cli \(arguments)")
        #expect(outcome.isOneSentence && outcome.error.contains(#"the scheme "nowhere" is unknown"#))
        let online = try await cli.shell("profile-cli-online \(arguments)")
        #expect(online.code == outcome.code && online.error == outcome.error)
    }

    /// Copies programs to an installation prefix, as `make install` does.
    private func install(_ paths: String...) async throws -> URL {
        let prefix = cli.directory.appending(path: "prefix")
        for path in paths {
            let file = prefix.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let program = try ProfileCLI.programDirectory.get().appending(path: file.lastPathComponent)
            // A separate process copies the file. If this process did, a process that another test starts would inherit
            // the open descriptor, and a program that is open for writing cannot be executed.
            #expect(try await cli.shell("cp '\(program.path)' '\(file.path)'").code == 0)
        }
        return prefix
    }

    @Test func onlineProgramFetches() async throws {
        let prefix = try await install("bin/profile-cli", "libexec/profile-cli-online")
        let document = try WeatherFixture.tsukumijima.bytes()
        try await WebServer.run { _ in
            .init(body: document)
        } _: { server in
            // Runs the program through a symbolic link, as package managers install it.
            let outcome = try await cli.shell(
                """
                ln -s '\(prefix.path)/bin/profile-cli' linked
                ./linked forecast fetch 270000 --store plist:store.plist --url \(server.url)
                """)
            #expect(outcome.code == 0 && outcome.error.isEmpty)
            #expect(server.recorded.count == 1)
        }
    }

    @Test func localStoresWithoutOnlineProgram() async throws {
        let program = try await install("bin/profile-cli").appending(path: "bin/profile-cli").path
        let saved = try await cli.shell("'\(program)' set-mail vision@example.com --store plist:store.plist")
        #expect(saved.code == 0)
        let fetched = try await cli.shell("'\(program)' forecast fetch 270000 --store plist:store.plist")
        #expect(fetched.code == 66 && fetched.isOneSentence)
        #expect(fetched.error.contains("prefix/libexec/profile-cli-online"))
        let unknown = try await cli.shell("'\(program)' list --store nowhere:here")
        #expect(unknown.code == 65 && unknown.error.contains(#"the scheme "nowhere" is unknown"#))
    }
}
