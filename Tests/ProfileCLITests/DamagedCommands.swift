import DamageTesting
import DataStoreTesting
import Foundation
import Testing

/// Commands that are run on damaged copies of a store of 2,000 users, and their results on the intact store.
struct DamagedCommands {
    /// The result of a command on a damaged store.
    enum Verdict: Hashable {
        /// The command succeeded, with the result of the intact store.
        case right
        /// The command ended with an exit code of sysexits.h.
        case error
        /// The command succeeded with another result, or ended with an exit code that does not report damage.
        case wrong(code: Int32)
        case crash(signal: Int32)
        case hang
    }

    /// The data file of the intact store.
    let original: DataFileImage

    private let cli: ProfileCLI
    /// The commands by their names. Each runs in a directory with a store `s`.
    private let scripts: [(name: String, script: String)]
    private var expected: [String: String] = [:]

    init(_ cli: ProfileCLI, using generator: inout SeededGenerator) async throws {
        self.cli = cli
        func lines(_ numbers: Range<Int>) -> (ids: [String], text: String) {
            // Random ids, so that most changed ids are still in order.
            let ids = numbers.map { _ in String(UInt32.random(in: 0...UInt32.max, using: &generator), radix: 16) }
            let users = zip(numbers, ids).map { number, id in
                let birthday = "19\(10 + number % 90)-0\(1 + number % 9)-1\(number % 10)"
                return #"{"id":"\#(id)","mailAddress":"user\#(number)@example.com","birthday":"\#(birthday)"}"# + "\n"
            }
            return (ids, users.joined())
        }
        let (ids, users) = lines(0..<2000)
        try cli.write(users, to: "users.jsonl")
        try cli.write(lines(2000..<2100).text, to: "more.jsonl")
        let store = cli.store(.lmdb, "original")
        #expect(try await cli.run("import", "users.jsonl", "--batch", "100", in: store).code == 0)
        // Several transactions, so that there are free pages.
        for number in 0..<3 {
            try await cli.run("set-mail", "new\(number)@example.com", "--user", ids[100 * number], in: store)
        }
        original = try DataFileImage(cli.url("original").path)
        let user = ids[777]
        let export = "$P export --store lmdb:s"
        scripts = [
            ("list", "$P list --store lmdb:s"),
            ("list by mail address", "$P list --where 'mail = user1234@example.com' --store lmdb:s"),
            ("list by birthday", "$P list --where 'birthday < 1925-01-01' --sort birthday --store lmdb:s"),
            ("export", export),
            ("store info", "$P store info --store lmdb:s >o; code=$?; grep -E '^(users|index)' o; (exit $code)"),
            ("store copy", "$P store copy lmdb:s plist:p && $P export --store plist:p"),
            ("get-mail", "$P get-mail --user \(user) --store lmdb:s"),
            ("set-mail", "$P set-mail set@example.com --user \(user) --store lmdb:s && \(export)"),
            ("delete", "$P delete --yes --user \(user) --store lmdb:s && \(export)"),
            ("import", "$P import ../more.jsonl --batch 10 --store lmdb:s && \(export)"),
            ("store check", "$P store check --store lmdb:s"),
        ]
        try cli.write(Data(original.bytes), to: "damaged.mdb")
        for (name, code, output) in try await outcomes() {
            #expect(code == 0, "\(name)")
            expected[name] = output
        }
    }

    /// Runs all commands, each on a new copy of the damaged file.
    func verdicts(after damages: [Damage]) async throws -> [(command: String, verdict: Verdict)] {
        var bytes = original.bytes
        for damage in damages { damage.apply(to: &bytes) }
        try cli.write(Data(bytes), to: "damaged.mdb")
        return try await outcomes().map { name, code, output in (name, verdict(on: name, code, output)) }
    }

    private func verdict(on name: String, _ code: Int32, _ output: String) -> Verdict {
        switch code {
        case 0: output == expected[name] ? .right : .wrong(code: 0)
        case 128 + SIGKILL: .hang
        case 128...: .crash(signal: code - 128)
        case EX_CANTCREAT, EX_IOERR, EX_TEMPFAIL: .error
        default: .wrong(code: code)
        }
    }

    /// Runs all commands with one shell, which is faster than one process each, and returns the exit codes and outputs.
    private func outcomes() async throws -> [(name: String, code: Int32, output: String)] {
        // A virtual machine may pause for a minute.
        var lines = ["exec 2>errors", "P='timeout -s KILL 120 profile-cli'"]
        for (index, command) in scripts.enumerated() {
            lines.append(
                "rm -rf d; mkdir -p d/s; cp damaged.mdb d/s/data.mdb; "
                    + "(cd d; \(command.script)) >output.\(index); echo $?")
        }
        let codes = try await cli.shell(lines.joined(separator: "\n")).lines.compactMap { Int32($0) }
        try #require(codes.count == scripts.count)
        return try scripts.enumerated().map { index, command in
            let bytes = try Data(contentsOf: cli.url("output.\(index)"))
            return (command.name, codes[index], String(decoding: bytes, as: UTF8.self))
        }
    }
}
