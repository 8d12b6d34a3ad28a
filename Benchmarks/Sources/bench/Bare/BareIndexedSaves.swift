import CLMDB

/// The peer that saves profiles and their index entries by direct calls of liblmdb. Each save writes the record,
/// removes its old index entries and adds the new ones. The bytes are copied from stores of this package.
final class BareIndexedSaves {
    /// A profile as an environment stores it.
    private struct Profile {
        var record: EncodedEntry?
        var entries: [EncodedEntry] = []
    }

    private let environment: BareEnvironment
    /// The profiles in each state, by id.
    private let states: [[String: Profile]]
    private var current: [String: Int] = [:]

    /// Opens an environment.
    ///
    /// - Parameters:
    ///   - path: The path of the environment, whose profiles are in the first state.
    ///   - states: The paths of environments with the profiles in each state.
    /// - Throws: ``Failure`` if liblmdb fails.
    init(path: String, states: [String]) throws {
        environment = try BareEnvironment(path: path)
        self.states = try states.map(Self.profiles)
    }

    /// Returns all entries of the environment.
    func entries() throws -> [EncodedEntry] { try BareReader(environment).entries() }

    /// Saves profiles, a fixed number in each transaction, and commits each transaction durably.
    func save(_ steps: some Collection<(id: String, state: Int)>, perTransaction count: Int) throws {
        var transaction: OpaquePointer?
        var waiting = 0
        for (id, state) in steps {
            guard let new = states[state][id], let record = new.record, let old = states[current[id] ?? 0][id] else {
                throw Failure("the profile \(id) does not exist")
            }
            current[id] = state
            if waiting == 0 { try BareEnvironment.check(mdb_txn_begin(environment.pointer, nil, 0, &transaction)) }
            do {
                try put(record, transaction)
                for entry in old.entries { try remove(entry, transaction) }
                for entry in new.entries { try put(entry, transaction) }
            } catch {
                mdb_txn_abort(transaction)
                throw error
            }
            waiting += 1
            if waiting == count {
                try BareEnvironment.check(mdb_txn_commit(transaction))
                waiting = 0
            }
        }
        if waiting > 0 { try BareEnvironment.check(mdb_txn_commit(transaction)) }
    }

    private func put(_ entry: EncodedEntry, _ transaction: OpaquePointer?) throws {
        try entry.key.withUnsafeBytes { key in
            try entry.value.withUnsafeBytes { value in
                // LMDB only reads the key and the value.
                var key = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
                var value = MDB_val(mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
                try BareEnvironment.check(mdb_put(transaction, environment.database, &key, &value, 0))
            }
        }
    }

    private func remove(_ entry: EncodedEntry, _ transaction: OpaquePointer?) throws {
        try entry.key.withUnsafeBytes { key in
            // LMDB only reads the key.
            var key = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
            try BareEnvironment.check(mdb_del(transaction, environment.database, &key, nil))
        }
    }

    /// Returns the profiles of an environment with their index entries. An index entry consists of a text, the byte 1
    /// twice, and the id.
    private static func profiles(_ path: String) throws -> [String: Profile] {
        var profiles: [String: Profile] = [:]
        for entry in try BareReader(BareEnvironment(path: path)).entries() {
            if entry.key.starts(with: "users\0".utf8) {
                profiles[String(decoding: entry.key.dropFirst(6), as: UTF8.self), default: Profile()].record = entry
            } else if entry.key.starts(with: "\0x".utf8), let end = entry.key.lastIndex(of: 1) {
                profiles[String(decoding: entry.key[(end + 1)...], as: UTF8.self), default: Profile()].entries
                    .append(entry)
            }
        }
        return profiles
    }
}
