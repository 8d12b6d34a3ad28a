import Foundation

extension EntityBenchmark {
    /// Measures a simple reader beside the same work of GRDB, in the same way as the work of the stores. The store of
    /// the `Codable` type is at `path`, and the one of the hand-written mapping beside it.
    func simpleReader(
        _ all: [Appointment], _ path: String, _ peer: SQLiteAppointments, _ plainPeer: SQLiteAppointments
    ) async throws -> [Comparison] {
        let coded = try SimpleReader(copying: path, on: stage)
        let plain = try SimpleReader(copying: path + "-plain", on: stage)
        guard try plain.list() == plainPeer.listPlain(),
            try coded.count(seatsAbove: 25, titleContaining: "99")
                == peer.count(seatsAbove: 25, titleContaining: "99")
        else { throw Failure("the simple reader reads other entities") }
        let ids = Profiles.randomNumbers(stage.operations(20_000), of: count).map { all[$0].id }
        let lists = try await rounds(listRepeats) {
            _ = try plain.list()
        } theirs: {
            _ = try plainPeer.listPlain()
        }
        let texts = ids.map(\.uuidString)
        let reads = try await rounds(1) {
            for id in texts { guard try coded.read(id).seats == 1 else { throw Failure("\(id)") } }
        } theirs: {
            for id in ids { guard try peer.read(id) != nil else { throw Failure("\(id)") } }
        }
        let counts = try await rounds(countRepeats) {
            _ = try coded.count(seatsAbove: 25, titleContaining: "99")
        } theirs: {
            _ = try peer.count(seatsAbove: 25, titleContaining: "99")
        }
        try [coded, plain].forEach { try $0.remove(on: stage) }
        let works = [
            ("list all by liblmdb alone", "entity", "GRDB, by hand", listRepeats * count, lists),
            ("read by id by liblmdb and Codable alone", "entity", "GRDB", ids.count, reads),
            ("count without an index by liblmdb alone", "record", "GRDB", countRepeats * count, counts),
        ]
        return works.map { work, operation, peer, operations, rounds in
            comparison(work, .microseconds(per: operation), peer: peer, nil, operations: operations, rounds)
        }
    }

    private func rounds(
        _ repeats: Int, ours: () throws -> Void, theirs: () throws -> Void
    ) async throws -> Rounds {
        try await Rounds(stage.rounds(5)) {
            try Rounds.secondsOnThread { for _ in 0..<repeats { try ours() } }
        } theirs: {
            try Rounds.secondsOnThread { for _ in 0..<repeats { try theirs() } }
        }
    }
}
