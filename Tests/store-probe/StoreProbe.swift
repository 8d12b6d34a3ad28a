import DataStoreCore
import DataStoreLMDB
import Foundation

/// Opens a store through liblmdb and compares it with an intact one: every record, forwards, backwards and one by one.
/// Then it writes to the store and checks it. This is a separate process because liblmdb may crash.
///
///     store-probe STORE REFERENCE COLLECTION…
///
/// With `--answers` or `--verified-answers`, reads a store that may be damaged, and prints how many answers are right,
/// errors and wrong, and one of the wrong ones.
///
///     store-probe --answers STORE REFERENCE COLLECTION…
@main
enum StoreProbe {
    struct Difference: Error {
        let what: String
    }

    static func main() async throws {
        // If the library loops forever, the alarm ends the process.
        alarm(120)
        var arguments = CommandLine.arguments.dropFirst()
        if let option = arguments.first, ["--answers", "--verified-answers"].contains(option) {
            arguments = arguments.dropFirst()
            return try await printAnswers(Array(arguments), verifiesPages: option == "--verified-answers")
        }
        guard arguments.count >= 3 else { throw Difference(what: "usage: store-probe STORE REFERENCE COLLECTION…") }
        let paths = Array(arguments.prefix(2))
        let collections = Array(arguments.dropFirst(2))
        let store = try LMDBDataStore(path: paths[0])
        let reference = try LMDBDataStore(path: paths[1])
        for collection in collections { try compare(store, reference, collection) }
        for collection in collections { try await write(to: store, collection) }
        for collection in collections { try compare(store, reference, collection) }
        // If a closed standard stream became a file of the store, this line would damage the store.
        let line = Array("compared\n".utf8)
        for stream in [STDOUT_FILENO, STDERR_FILENO] { _ = unsafe Foundation.write(stream, line, line.count) }
        let report = try await store.check()
        guard report.isClean else { throw Difference(what: "after writing: \(report.findings)") }
        await store.close()
        await reference.close()
    }

    private static func printAnswers(_ arguments: [String], verifiesPages: Bool) async throws {
        guard arguments.count >= 3 else { throw Difference(what: "usage: store-probe --answers STORE REFERENCE …") }
        var answers = Answers()
        do {
            let store = try LMDBDataStore(path: arguments[0], options: .init(verifiesPages: verifiesPages))
            let reference = try LMDBDataStore(path: arguments[1])
            for collection in arguments.dropFirst(2) { try answers.compare(store, reference, collection) }
            await reference.close()
            await store.close()
        } catch is DataStoreError {
            // The store cannot be opened.
        }
        print(answers.rightCount, answers.errorCount, answers.wrong.count, answers.wrong.first ?? "")
    }

    private static func compare(_ store: LMDBDataStore, _ reference: LMDBDataStore, _ collection: String) throws {
        let scan = try Scan(collection)
        let expected = try reference.read { try $0.records(in: scan) }
        let found = try store.read { try $0.records(in: scan) }
        guard found == expected else { throw Difference(what: "a scan of \(collection)") }
        let backwards = try store.read { try $0.records(in: Scan(collection, isReversed: true)) }
        guard backwards == expected.reversed() else { throw Difference(what: "a reversed scan of \(collection)") }
        for entry in expected {
            let record = try store.read { try $0.record(for: entry.key) }
            guard record == entry.record else { throw Difference(what: "the record \(entry.key)") }
        }
    }

    /// Overwrites much of the store, and then restores the records.
    private static func write(to store: LMDBDataStore, _ collection: String) async throws {
        let all = try store.read { try $0.records(in: Scan(collection)) }
        for size in [10, 100_000, 1000, 20_000] {
            try await store.write { transaction in
                for entry in all where entry.key.id.utf8.count.isMultiple(of: 2) == (size > 5000) {
                    try transaction.remove(entry.key)
                }
                try transaction.put(
                    ["data": .data(Array(repeating: 1, count: size))], for: Key(collection: collection, id: "probe"))
            }
            try await store.write { transaction in
                for entry in all { try transaction.put(entry.record, for: entry.key) }
                try transaction.remove(Key(collection: collection, id: "probe"))
            }
        }
    }
}
