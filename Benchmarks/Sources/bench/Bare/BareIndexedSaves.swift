import CLMDB

/// Saves of profiles with the entries of their indexes by bare calls: each puts the record, removes the entries that
/// led to it and puts the new ones. The bytes are those of stores of ours.
final class BareIndexedSaves {
    /// A profile as an environment has it.
    private struct Profile {
        var record: EncodedEntry?
        var entries: [EncodedEntry] = []
    }

    private let environment: BareEnvironment
    /// By their ids, in each of the states that they are saved in.
    private let states: [[String: Profile]]
    private var current: [String: Int] = [:]

    /// Works on an environment.
    ///
    /// - Parameters:
    ///   - path: the environment; its profiles are in the first state.
    ///   - states: environments with the profiles in each state.
    /// - Throws: ``Failure`` of liblmdb.
    init(path: String, states: [String]) throws {
        environment = try BareEnvironment(path: path)
        self.states = try states.map(Self.profiles)
    }

    /// Everything that is in the environment.
    func entries() throws -> [EncodedEntry] { try BareReader(environment).entries() }

    /// Saves profiles, so many in each transaction, and commits each durably.
    func save(_ steps: some Collection<(id: String, state: Int)>, perTransaction count: Int) throws {
        var transaction: OpaquePointer?
        var waiting = 0
        for (id, state) in steps {
            guard let new = states[state][id], let record = new.record, let old = states[current[id] ?? 0][id] else {
                throw Failure("there is no profile \(id)")
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
                // LMDB only reads both.
                var key = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
                var value = MDB_val(mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
                try BareEnvironment.check(mdb_put(transaction, environment.database, &key, &value, 0))
            }
        }
    }

    private func remove(_ entry: EncodedEntry, _ transaction: OpaquePointer?) throws {
        try entry.key.withUnsafeBytes { key in
            // LMDB only reads it.
            var key = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
            try BareEnvironment.check(mdb_del(transaction, environment.database, &key, nil))
        }
    }

    /// The profiles of an environment and the entries that lead to them. An entry ends with the id, behind a text and
    /// twice 1.
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
