import Foundation
import Subprocess
import Testing

/// Tests of LMDB stores in other PID namespaces, as containers use them.
@Suite(.enabled("unshare needs the permission to create namespaces") { try await Namespaces.arePermitted() })
struct NamespaceTests {
    private let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    // MARK: PID namespaces

    /// In a new PID namespace, the first process has the id 1. With `other`, the second program is in the namespace of
    /// the test and has another id.
    @Test("A program in another PID namespace is refused while a store is open", arguments: ["unshare -pf ", ""])
    func otherPIDNamespace(_ other: String) async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let outcome = try await cli.shell(
            """
            mkfifo watched
            unshare -pf --kill-child profile-cli watch me --store '\(store.text)' >watched &
            exec 3<watched; read -r line <&3
            \(other)profile-cli get-mail --store '\(store.text)'; echo $?
            \(other)profile-cli store check --store '\(store.text)' 2>/dev/null; echo $?
            kill -KILL $!
            wait
            \(other)profile-cli get-mail --store '\(store.text)'; echo $?
            """)
        #expect(outcome.lines == ["75", "75", "vision@example.com", "0"], "\(outcome)")
        for word in ["PID namespace", "container", "property list", "PostgreSQL"] {
            #expect(outcome.error.contains(word), "\(outcome)")
        }
    }

    @Test("Programs in one other PID namespace share a store")
    func samePIDNamespace() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let outcome = try await cli.shell(
            """
            unshare -pf --kill-child sh -c '
                mkfifo watched
                profile-cli watch me --store "\(store.text)" >watched &
                exec 3<watched; read -r line <&3
                profile-cli get-mail --store "\(store.text)"
                kill $!'
            """)
        #expect(outcome.lines == ["vision@example.com"], "\(outcome)")
    }
}

/// The permission of the tests to create namespaces.
private enum Namespaces {
    static func arePermitted() async throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else { return false }
        let result = try await Subprocess.run(
            .name("unshare"), arguments: ["-pfm", "true"], output: .discarded, error: .discarded)
        return result.terminationStatus.isSuccess
    }
}
