import DataStoreCore
import DataStoreLMDB

/// The answers of a damaged store, compared with those of an intact one. An error is not a wrong answer.
struct Answers {
    private(set) var rightCount = 0
    private(set) var errorCount = 0
    /// The wrong answers.
    private(set) var wrong: [String] = []

    /// Reads a collection in scans of all sizes and record by record, both existing and missing records.
    mutating func compare(_ store: LMDBDataStore, _ reference: LMDBDataStore, _ collection: String) throws {
        let expected = try reference.read { try $0.records(in: Scan(collection)) }
        compare("a scan", expected) { try store.read { try $0.records(in: Scan(collection)) } }
        compare("a reversed scan", expected.reversed()) {
            try store.read { try $0.records(in: Scan(collection, isReversed: true)) }
        }
        compare("the collections", try reference.read { try $0.collections() }) {
            try store.read { try $0.collections() }
        }
        for (index, entry) in expected.enumerated() {
            compare("the record \(entry.key)", Optional(entry.record)) {
                try store.read { try $0.record(for: entry.key) }
            }
            let missing = try Key(collection: collection, id: entry.key.id + " missing")
            compare("the record \(missing)", nil as Record?) { try store.read { try $0.record(for: missing) } }
            guard index.isMultiple(of: 5) else { continue }
            let range = expected[index..<min(index + 10, expected.count)]
            guard let last = range.last else { continue }
            for isReversed in [false, true] {
                let scan = try Scan(
                    collection, ids: .from(entry.key.id).through(last.key.id), isReversed: isReversed)
                compare("the range from \(entry.key)", isReversed ? range.reversed() : Array(range)) {
                    try store.read { try $0.records(in: scan) }
                }
            }
        }
    }

    private mutating func compare<Answer: Equatable>(
        _ question: String, _ expected: Answer, _ answer: () throws -> Answer
    ) {
        do {
            if try answer() == expected { rightCount += 1 } else { wrong.append(question) }
        } catch {
            errorCount += 1
        }
    }
}
