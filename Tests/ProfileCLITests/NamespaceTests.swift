import DataStoreCore
import DataStoreLMDB
import Foundation
import Subprocess
import Testing
import TestScale

/// Tests of LMDB stores in other PID namespaces and on read-only mounts, as containers use them.
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
            unshare -pf --kill-child profile-cli watch --store '\(store.text)' >watched &
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
                profile-cli watch --store "\(store.text)" >watched &
                exec 3<watched; read -r line <&3
                profile-cli get-mail --store "\(store.text)"
                kill $!'
            """)
        #expect(outcome.lines == ["vision@example.com"], "\(outcome)")
    }

    // MARK: Read-only mounts

    /// Runs commands in a mount namespace in which `mount` is a read-only view of the directory `store`.
    private func onReadOnlyMount(_ commands: String) async throws -> ProfileCLI.Outcome {
        try FileManager.default.createDirectory(at: cli.url("mount"), withIntermediateDirectories: true)
        return try await cli.shell(
            """
            unshare -m sh -c '
                mount --bind store mount && mount -o remount,ro,bind mount || exit 99
                \(commands)'
            """)
    }

    @Test("A store on a read-only mount is read, checked, copied and backed up", arguments: [true, false])
    func readOnly(hasLockFile: Bool) async throws {
        let store = cli.store(.lmdb)
        for id in ["a", "b", "me"] { try await cli.run("set-mail", "\(id)@example.com", "--user", id, in: store) }
        if !hasLockFile { try FileManager.default.removeItem(at: cli.url("store/lock.mdb")) }
        let before = try Data(contentsOf: cli.url("store/data.mdb"))
        let outcome = try await onReadOnlyMount(
            """
            export PROFILE_STORE=lmdb:mount
            profile-cli get-mail; echo $?
            profile-cli count --where "mail contains example"; echo $?
            profile-cli store check; echo $?
            profile-cli store info >/dev/null; echo $?
            profile-cli store copy lmdb:mount plist:copy; echo $?
            profile-cli store backup backup; echo $?
            profile-cli export export.jsonl; echo $?
            profile-cli set-mail new@example.com; echo $?
            """)
        #expect(
            outcome.lines == ["me@example.com", "0", "3", "0", "0", "0", "0", "0", "0", "77"], "\(outcome)")
        #expect(outcome.error.contains("the file system is read-only"), "\(outcome)")
        #expect(try Data(contentsOf: cli.url("store/data.mdb")) == before)
        for copy in [cli.store(.plist, "copy"), cli.store(.lmdb, "backup")] {
            #expect(try await cli.run("count", in: copy).output == "3\n")
            #expect(try await cli.run("get-mail", "--user", "a", in: copy).output == "a@example.com\n")
            #expect(try await cli.run("store", "check", in: copy).code == 0)
        }
    }

    /// Each commit replaces all records, so that a page that the writer reuses during a read would be noticed.
    @Test("A read on a read-only mount of a store in use sees one commit")
    func readOnlyInUse() async throws {
        let collection = "numbers"
        let outcome = try await cli.using(.lmdb) { store in
            let writer = Task {
                for number in 0... {
                    if Task.isCancelled { return }
                    try await store.write { transaction in
                        for id in 0..<100 {
                            let text = String(repeating: "\(number) ", count: 50)
                            try transaction.put(
                                ["n": .integer(Int64(number)), "text": .string(text)],
                                for: Key(collection: collection, id: "\(id)"))
                        }
                    }
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...4)))
                }
            }
            try await Task.sleep(for: .milliseconds(100))
            let outcome = try await onReadOnlyMount(
                """
                for read in $(seq \(TestScale.count(20, full: 200))); do
                    profile-cli record list \(collection) --store lmdb:mount >records || exit $?
                    grep -c . records
                    grep -o "\\"n\\":[0-9]*" records | sort -u | grep -c .
                done
                """)
            writer.cancel()
            if case .failure(let error) = await writer.result { #expect(error is CancellationError) }
            return outcome
        }
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.lines == Array(repeating: ["100", "1"], count: outcome.lines.count / 2).flatMap(\.self))
        #expect(outcome.lines.count >= 2)
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
